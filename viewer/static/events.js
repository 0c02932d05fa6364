// No answer of the server is lost. Gradio's page hears all answers over one stream, which the
// server ends whenever nothing is under way. What is asked at that very moment is answered over
// no stream: the server has ended it, and the page still takes it for open. So the page is told
// of the end only while it waits for nothing; else the stream goes on, as a new one of the server.
() => {
  const send = window.fetch;
  const waiting = new Set(); // ids of what was asked and is not over
  const early = new Set(); // ids of what was over before the page knew that it was accepted
  let asking = 0; // on their way to the server

  const ask = async (given) => {
    asking += 1;
    try {
      const reply = await send(...given);
      const { event_id: id } = reply.ok ? await reply.clone().json().catch(() => ({})) : {};
      if (id && !early.delete(id)) waiting.add(id);
      return reply;
    } finally {
      asking -= 1;
    }
  };

  // Passes the messages on; true where the stream ended although something is waited for.
  const pass = async (reply, out) => {
    if (!reply.ok) throw new Error(`The server answered ${reply.status}.`);
    const [reader, text, bytes] = [reply.body.getReader(), new TextDecoder(), new TextEncoder()];
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const messages = (rest + text.decode(part.value, { stream: true })).split("\n\n");
      rest = messages.pop();
      for (const message of messages) {
        const { msg, event_id: id } = message.startsWith("data:") ? JSON.parse(message.slice(5)) : {};
        if (msg === "close_stream" && (asking || waiting.size)) return true;
        if (msg === "process_completed" && !waiting.delete(id)) early.add(id);
        out.enqueue(bytes.encode(`${message}\n\n`));
      }
    }
    return false;
  };

  const hear = async (given) => {
    const reply = await send(...given);
    if (!reply.ok) return reply;
    const start = async (out) => {
      try {
        for (let next = reply; await pass(next, out); ) next = await send(...given);
        out.close();
      } catch (error) {
        out.error(error); // the page itself ended it, or the server is gone
      }
    };
    return new Response(new ReadableStream({ start }), reply);
  };

  window.fetch = (...given) => {
    const address = String(given[0]?.url ?? given[0]);
    if (address.includes("/queue/join")) return ask(given);
    if (address.includes("/queue/data?")) return hear(given);
    return send(...given);
  };
}
