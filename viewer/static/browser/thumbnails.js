// Pictures of the rows on the screen, fetched one at a time, and never while a study is loading:
// the volumes of a study that was just opened come first.

const WAIT_MS = 150;

export class Thumbnails {
  constructor() {
    this.waiting = new Map(); // img -> address
    this.busy = false;
    this.seen = new IntersectionObserver((entries) => this.noted(entries), { rootMargin: "100px" });
    this.addresses = new Map();
  }

  watch(img, address) {
    this.addresses.set(img, address);
    this.seen.observe(img);
  }

  forget() {
    this.seen.disconnect();
    this.waiting.clear();
    this.addresses.clear();
  }

  noted(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.waiting.set(target, this.addresses.get(target));
      else this.waiting.delete(target); // scrolled past
    }
    if (!this.busy) this.next();
  }

  async next() {
    this.busy = true;
    while (this.waiting.size) {
      if (document.querySelector('.pane[data-status="loading"]')) {
        await new Promise((done) => setTimeout(done, WAIT_MS));
        continue;
      }
      const [img, address] = this.waiting.entries().next().value;
      this.waiting.delete(img);
      this.seen.unobserve(img);
      await shown(img, new URL(address, document.baseURI).href);
    }
    this.busy = false;
  }
}

// A study without a picture keeps its dark square; its problems say why.
async function shown(img, address) {
  img.src = address;
  try {
    await img.decode();
    img.dataset.ready = "true";
  } catch {
    img.removeAttribute("src");
  }
}
