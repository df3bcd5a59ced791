/** Puts the same load on the program and on the bare server in turn, and shows the computing time of each for an answer. */
import { orderOfRound } from '../figures.js';
import type { ServerProcess } from '../processes.js';

export type Side = 'hcd' | 'bare';

export interface Answered {
  readonly answers: number;
  readonly bad: number;
}

export interface Round<Figures> {
  readonly figures: Figures;
  /** Microseconds that the process, with its threads, computed for an answer: other programs of the machine are not in it. */
  readonly computed: number;
}

export interface Compared<Figures> {
  readonly rounds: Readonly<Record<Side, readonly Round<Figures>[]>>;
  /** Of the program, with those that are not measured. */
  readonly answers: number;
}

interface Comparison<Figures> {
  readonly servers: Readonly<Record<Side, ServerProcess>>;
  readonly rounds: number;
  /** Of a round. */
  readonly seconds: number;
  /** Seconds of each side that are not measured: until then much of the code is interpreted. */
  readonly warmUp: number;
  readonly load: (port: number, seconds: number) => Promise<Figures>;
}

/** Throws an Error on bad answers. */
export async function compareInRounds<Figures extends Answered>({
  servers,
  rounds,
  seconds,
  warmUp,
  load,
}: Comparison<Figures>): Promise<Compared<Figures>> {
  const found: Record<Side, Round<Figures>[]> = { hcd: [], bare: [] };
  await load(servers.bare.port, warmUp);
  let { answers } = await load(servers.hcd.port, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of orderOfRound<Side>(['hcd', 'bare'], round)) {
      const server = servers[side];
      server.emptyLog();
      const before = server.cpuSeconds() ?? Number.NaN;
      const figures = await load(server.port, seconds);
      const computing = (server.cpuSeconds() ?? Number.NaN) - before;
      if (figures.bad > 0) throw new Error(`${side} gave ${figures.bad} bad answers`);
      found[side].push({ figures, computed: (computing / figures.answers) * 1e6 });
      if (side === 'hcd') answers += figures.answers;
    }
  }
  return { rounds: found, answers };
}
