// What this browser has for drawing: a graphics card, WebGL 2 in software, or no WebGL 2 at all.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

// "hardware", "software" or "none"
export function graphics() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "none";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext(); // a browser keeps 16 contexts alive
  return SOFTWARE.test(renderer) ? "software" : "hardware";
}

// WebGL in software costs several times what the processor needs to draw the slices itself.
export const WAY_OF_DRAWING = { hardware: "./drawing.js", software: "./plain.js", none: "./plain.js" };

export const SAYS = {
  hardware: "",
  software: "",
  none: "Plain pictures: this browser has no WebGL 2",
};

// A canvas whose context is lost hears of it, and may have it back.
export function whenContextIsLost(canvas, lost, restored) {
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // else it never comes back
    lost();
  });
  canvas.addEventListener("webglcontextrestored", restored);
}
