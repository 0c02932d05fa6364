// How one slice is coloured: window and labels. All of it uniforms, so that a change costs one
// frame and never a new texture.
//
// `volume` holds the 8-bit copy as grey, `drawing` the label values (nearest neighbour).

export const LABELS = 32;

// Every operation counts: without a graphics card this runs on the processor, for each pixel.
// So a filled mask has a shader of its own, which knows nothing of outlines.
const HEAD = `#version 300 es
precision highp int;
precision highp float;
uniform highp sampler3D volume;
uniform highp sampler3D drawing;
uniform vec2 greyScale;
uniform float labelOpacity;
uniform vec4 labelColors[${LABELS}];
in vec3 texPos;
out vec4 color;

vec4 paintOf(float label) {
  return labelColors[min(int(label * 255.0 + 0.5), ${LABELS - 1})];
}
`;

export const FILLED = `${HEAD}
void main() {
  float grey = clamp(texture(volume, texPos).r * greyScale.x + greyScale.y, 0.0, 1.0);
  color = vec4(vec3(grey), 1.0);
  float label = texture(drawing, texPos).r;
  if (label > 0.0) {
    vec4 paint = paintOf(label);
    color.rgb = mix(color.rgb, paint.rgb, paint.a * labelOpacity);
  }
}`;

export const OUTLINED = `${HEAD}
bool atBorder(float label, vec3 right, vec3 down) {
  return texture(drawing, texPos + right).r != label || texture(drawing, texPos - right).r != label
      || texture(drawing, texPos + down).r != label || texture(drawing, texPos - down).r != label;
}

void main() {
  float grey = clamp(texture(volume, texPos).r * greyScale.x + greyScale.y, 0.0, 1.0);
  color = vec4(vec3(grey), 1.0);
  vec3 right = dFdx(texPos) * 1.5;
  vec3 down = dFdy(texPos) * 1.5;
  float label = texture(drawing, texPos).r;
  if (label > 0.0 && atBorder(label, right, down)) {
    vec4 paint = paintOf(label);
    color.rgb = mix(color.rgb, paint.rgb, paint.a * max(labelOpacity, 0.6));
  }
}`;

// "#rrggbb" -> [r, g, b] in 0..1
export function rgb(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
}

// The table of label colours: alpha 0 where a label is hidden or unknown.
export function colorTable(entries, hidden) {
  const table = new Float32Array(4 * LABELS);
  for (const { value, name, color } of entries) {
    if (!hidden.has(name)) table.set([...rgb(color), 1], 4 * value);
  }
  return table;
}
