/** A value that a plugin gives, as the tree that the same definition in a file would have. */
import {
  type JsonMember,
  type JsonNode,
  maxDepth,
  type Place,
  type PlacedProblem,
  pathBelow,
} from '../../values/json-tree.js';
import { problemAt } from './object-problem.js';

export interface TreeSpot {
  readonly place: Place;
  /** Takes what JSON cannot hold. */
  readonly problems: PlacedProblem[];
  readonly depth?: number;
}

/** The tree of a value. Members that are undefined are left out, as JSON does; null stands for what it cannot hold. */
export function treeOf(value: unknown, { place, problems, depth = 0 }: TreeSpot): JsonNode {
  const below = (key: string | number): TreeSpot => ({
    place: { ...place, path: pathBelow(place.path, key) },
    problems,
    depth: depth + 1,
  });
  if (value === null) return { kind: 'null', place };
  if (typeof value === 'string') return { kind: 'string', value, place };
  if (typeof value === 'number') return { kind: 'number', value, place };
  if (typeof value === 'boolean') return { kind: 'boolean', value, place };
  if (typeof value !== 'object') {
    problems.push(problemAt(place, `is a ${typeof value}, which a definition cannot hold`));
    return { kind: 'null', place };
  }
  // Also the end of a value that contains itself.
  if (depth > maxDepth) {
    problems.push(problemAt(place, `nested deeper than ${maxDepth} levels`));
    return { kind: 'null', place };
  }
  if (Array.isArray(value)) {
    return { kind: 'array', items: value.map((item: unknown, index) => treeOf(item, below(index))), place };
  }
  const members = Object.entries(value).flatMap(([key, member]: [string, unknown]): JsonMember[] => {
    const spot = below(key);
    return member === undefined ? [] : [{ key, keyPlace: spot.place, value: treeOf(member, spot) }];
  });
  return { kind: 'object', members, place };
}
