// The surface of a shape given as a field of numbers: triangles where it crosses a level.
// By surface nets: one vertex a cell that the surface passes, in the middle of its crossings,
// and one four-sided face a crossed edge.

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7]; // bit a is set where a corner lies one on along axis a
const EDGES = [0, 1, 2].flatMap((axis) =>
  CORNERS.filter((corner) => !(corner & (1 << axis))).map((corner) => [corner, corner | (1 << axis), axis]),
);

// field: numbers of a grid, i fastest, zero on its border. Returns { points: flat voxel
// coordinates, faces: flat triples of vertex numbers, counterclockwise from outside }.
export function isosurface(field, dims, level) {
  const { cells, points } = vertices(field, dims, level);
  return { points, faces: faces(field, dims, level, cells) };
}

function vertices(field, [ni, nj, nk], level) {
  const step = [1, ni, ni * nj];
  const offset = CORNERS.map((corner) => [0, 1, 2].reduce((sum, a) => sum + (corner & (1 << a) ? step[a] : 0), 0));
  const cells = new Int32Array(field.length).fill(-1); // vertex of the cell above a grid point
  const points = [];
  for (let k = 0; k < nk - 1; k++) {
    for (let j = 0; j < nj - 1; j++) {
      for (let i = 0; i < ni - 1; i++) {
        const at = i + ni * (j + nj * k);
        let inside = 0;
        for (let corner = 0; corner < 8; corner++) if (field[at + offset[corner]] > level) inside++;
        if (inside === 0 || inside === 8) continue;
        cells[at] = points.length / 3;
        const [x, y, z] = middle(field, at, offset, level);
        points.push(i + x, j + y, k + z);
      }
    }
  }
  return { cells, points };
}

// The mean of where a cell's edges are crossed, from its lowest corner.
function middle(field, at, offset, level) {
  const sum = [0, 0, 0];
  let crossings = 0;
  for (const [low, high, axis] of EDGES) {
    const [a, b] = [field[at + offset[low]], field[at + offset[high]]];
    if (a > level === b > level) continue;
    crossings++;
    for (let along = 0; along < 3; along++) sum[along] += low & (1 << along) ? 1 : 0;
    sum[axis] += (level - a) / (b - a);
  }
  return sum.map((value) => value / crossings);
}

function faces(field, dims, level, cells) {
  const step = [1, dims[0], dims[0] * dims[1]];
  const found = [];
  for (let axis = 0; axis < 3; axis++) {
    const [along, b, c] = [step[axis], step[(axis + 1) % 3], step[(axis + 2) % 3]];
    for (let at = b + c; at < field.length - along; at++) {
      const inside = field[at] > level;
      if (field[at + along] > level === inside) continue;
      const [p, q, r, s] = [cells[at], cells[at - b], cells[at - b - c], cells[at - c]];
      if (Math.min(p, q, r, s) < 0) continue;
      if (inside) found.push(p, q, r, p, r, s);
      else found.push(p, r, q, p, s, r);
    }
  }
  return found;
}
