/** Arguments of Node that run a TypeScript file from its source. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const loader = fileURLToPath(new URL('../../../bin/lib/typescript.mjs', import.meta.url))

/**
 * Arguments of Node. With an initial old generation of 256 MiB, a process loads its code without a full garbage
 * collection. That collection takes a fifth of the CPU time of its start.
 */
export const SOURCE_ARGS: readonly string[] = [
  '--initial-old-space-size=256',
  '--conditions=source',
  '--import',
  loader,
]

/**
 * File of a program in `bin`, to run with `SOURCE_ARGS`. It is the bundle that `npm test` made, which loads faster, or
 * else the source.
 */
export const programFile = (name: 'serve' | 'ctl'): string =>
  process.env.TEST_PROGRAMS
    ? join(process.env.TEST_PROGRAMS, `${name}.mjs`)
    : fileURLToPath(new URL(`../../../bin/${name}.ts`, import.meta.url))
