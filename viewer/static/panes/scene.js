// WebGL 2 for the 3-D view: opaque labels, the head around them as if of glass, the crosshair.

import { axesOf, dot } from "./turntable.js";

const VERTEX = `#version 300 es
uniform mat3 toScreen; // rows: right, up, towards the viewer
uniform vec3 middle;
uniform vec3 scale;
in vec3 point;
in vec3 normal;
out vec3 facing;
void main() {
  vec3 seen = (point - middle) * toScreen;
  facing = normalize(normal * toScreen);
  gl_Position = vec4(seen * scale, 1.0);
}`;

// The light comes from the viewer; glass is clearest where it is looked through straight on.
const FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 paint;
uniform float glass;
in vec3 facing;
out vec4 color;
void main() {
  float straight = clamp(normalize(facing).z, 0.0, 1.0);
  float light = 0.35 + 0.65 * straight;
  float alpha = mix(paint.a, paint.a * (0.18 + 0.82 * pow(1.0 - straight, 1.6)), glass);
  color = vec4(paint.rgb * mix(light, 1.0, glass), alpha);
}`;

const GLASS = [0.72, 0.78, 0.85, 0.62];
const CROSS = { color: [0.36, 0.72, 0.93, 1], mm: 10 };

export class Scene {
  // null where the browser has no WebGL 2
  static on(canvas) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true });
    return gl && new Scene(canvas, gl);
  }

  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.program = program(gl);
    const uniform = (name) => gl.getUniformLocation(this.program, name);
    this.uniforms = Object.fromEntries(["toScreen", "middle", "scale", "paint", "glass"].map((n) => [n, uniform(n)]));
    this.meshes = new Map(); // shape -> buffers
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  // Buffers of shapes that are no longer drawn are freed.
  keepOnly(shapes) {
    for (const [shape, mesh] of this.meshes) {
      if (shapes.includes(shape)) continue;
      this.gl.deleteVertexArray(mesh.array);
      mesh.buffers.forEach((buffer) => this.gl.deleteBuffer(buffer));
      this.meshes.delete(shape);
    }
  }

  // view: { turn, tilt, middle: world mm, pixels: a millimetre }; labels: [{ shape, paint }]
  draw({ view, head, labels, mm }) {
    const { gl, canvas, uniforms } = this;
    const { right, up, viewer } = axesOf(view);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix3fv(uniforms.toScreen, false, [...right, ...up, ...viewer]);
    gl.uniform3fv(uniforms.middle, view.middle);
    gl.uniform3f(uniforms.scale, (2 * view.pixels) / canvas.width, (2 * view.pixels) / canvas.height, -1 / 1000);
    gl.disable(gl.BLEND);
    for (const { shape, paint } of labels) this.#paint(shape, paint, 0);
    if (mm) this.#cross(mm, { right, up });
    if (!head) return;
    gl.enable(gl.CULL_FACE);
    gl.colorMask(false, false, false, false); // its nearest side only, or folds would add up
    this.#paint(head, GLASS, 1);
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    gl.depthFunc(gl.LEQUAL);
    this.#paint(head, GLASS, 1);
    gl.depthFunc(gl.LESS);
    gl.disable(gl.CULL_FACE);
  }

  #paint(shape, paint, glass) {
    const { gl } = this;
    if (!this.meshes.has(shape)) this.meshes.set(shape, this.#upload(shape));
    gl.uniform4fv(this.uniforms.paint, paint);
    gl.uniform1f(this.uniforms.glass, glass);
    gl.bindVertexArray(this.meshes.get(shape).array);
    gl.drawElements(gl.TRIANGLES, shape.faces.length, gl.UNSIGNED_INT, 0);
  }

  // Two bars that cross at a point, always square to the viewer.
  #cross(mm, { right, up }) {
    const bar = (along, across) => [-1, 1].flatMap((a) => [-1, 1].map((b) =>
      mm.map((value, n) => value + a * CROSS.mm * along[n] + b * 0.5 * across[n])));
    const points = new Float32Array([...bar(right, up), ...bar(up, right)].flat());
    const facing = axesOfNormal(right, up);
    const normals = new Float32Array(Array.from({ length: 8 }, () => facing).flat());
    const shape = { points, normals, faces: new Uint32Array([0, 1, 2, 1, 2, 3, 4, 5, 6, 5, 6, 7]) };
    this.gl.disable(this.gl.DEPTH_TEST);
    this.#paint(shape, CROSS.color, 0);
    this.gl.enable(this.gl.DEPTH_TEST);
    const { array, buffers } = this.meshes.get(shape);
    this.meshes.delete(shape);
    this.gl.deleteVertexArray(array);
    buffers.forEach((buffer) => this.gl.deleteBuffer(buffer));
  }

  #upload({ points, normals, faces }) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const attribute = (name, values) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      const place = gl.getAttribLocation(this.program, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
      return buffer;
    };
    const buffers = [attribute("point", points), attribute("normal", normals), gl.createBuffer()];
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[2]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, buffers };
  }
}

// The box around a shape on the screen's axes is not needed: its own middle and reach are.
export function reachOf({ points }) {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let at = 0; at < points.length; at += 3) {
    for (let a = 0; a < 3; a++) {
      low[a] = Math.min(low[a], points[at + a]);
      high[a] = Math.max(high[a], points[at + a]);
    }
  }
  const size = high.map((value, a) => value - low[a]);
  return { middle: low.map((value, a) => value + size[a] / 2), mm: Math.sqrt(dot(size, size)) };
}

function axesOfNormal(right, up) {
  return [right[1] * up[2] - right[2] * up[1], right[2] * up[0] - right[0] * up[2], right[0] * up[1] - right[1] * up[0]];
}

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made) || "no shader");
  return made;
}
