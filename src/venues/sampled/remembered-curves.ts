import { LIMITS } from '../../config/limits.ts';
import { type EdgeCurve, WordWriter } from '../../snapshot/snapshot.ts';

/**
 * Sampled curves by the state that they are of, as `pack` writes it: curves are some hundred exchanges each, and a pool that is read in each block is mostly as it was. Of
 * LIMITS.venues.knownSampledStates states in a thread, those that were asked for last.
 */
export function rememberCurves<State>(
  pack: (state: State, out: WordWriter) => void,
  curvesOf: (state: State) => readonly EdgeCurve[],
): (state: State) => readonly EdgeCurve[] {
  const remembered = new Map<string, readonly EdgeCurve[]>();
  return (state) => {
    const words = new WordWriter();
    pack(state, words);
    const key = words.finish().join();
    const curves = remembered.get(key) ?? curvesOf(state);
    remembered.delete(key);
    remembered.set(key, curves);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= LIMITS.venues.knownSampledStates) break;
      remembered.delete(oldest);
    }
    return curves;
  };
}
