// How one slice is coloured: window, labels, crosshair. All of it uniforms, so that a change
// costs one frame and never a new texture.
//
// `volume` holds the 8-bit copy as grey, `drawing` the label values (nearest neighbour).

export const LABELS = 32;

export const FRAGMENT = `#version 300 es
precision highp int;
precision highp float;
uniform highp sampler3D volume;
uniform highp sampler3D drawing;
uniform int axCorSag;
uniform vec2 shownRange;
uniform float labelOpacity;
uniform bool labelOutline;
uniform vec3 crosshair;
uniform vec4 crosshairColor;
uniform vec4 labelColors[${LABELS}];
in vec3 texPos;
out vec4 color;
const float GAP = 9.0; // pixels left free around the crosshair's middle

int labelAt(vec3 at) {
  return min(int(texture(drawing, at).r * 255.0 + 0.5), ${LABELS - 1});
}

vec2 onScreen(vec3 p) {
  return axCorSag == 0 ? p.xy : (axCorSag == 1 ? p.xz : p.yz);
}

bool atBorder(int label, vec3 right, vec3 down) {
  return labelAt(texPos + right) != label || labelAt(texPos - right) != label
      || labelAt(texPos + down) != label || labelAt(texPos - down) != label;
}

void main() {
  float grey = texture(volume, texPos).r;
  grey = clamp((grey - shownRange.x) / max(shownRange.y - shownRange.x, 1e-4), 0.0, 1.0);
  vec3 shown = vec3(grey);
  vec3 right = dFdx(texPos);
  vec3 down = dFdy(texPos);
  int label = labelAt(texPos);
  vec4 paint = labelColors[label];
  float strength = paint.a * labelOpacity;
  if (labelOutline && label > 0) {
    strength = atBorder(label, right * 1.5, down * 1.5) ? paint.a * max(labelOpacity, 0.6) : 0.0;
  }
  shown = mix(shown, paint.rgb, strength);
  vec2 pixel = abs(onScreen(right)) + abs(onScreen(down));
  vec2 away = (onScreen(texPos) - onScreen(crosshair)) / max(pixel, vec2(1e-7));
  bool onColumn = away.x > -0.501 && away.x <= 0.5;
  bool onRow = away.y > -0.501 && away.y <= 0.5;
  bool onLine = (onColumn && abs(away.y) > GAP) || (onRow && abs(away.x) > GAP);
  if (onLine) shown = mix(shown, crosshairColor.rgb, crosshairColor.a);
  color = vec4(shown, 1.0);
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
