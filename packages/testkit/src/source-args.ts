/** Arguments of Node that run a TypeScript file from its source. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const loader = fileURLToPath(new URL('../../../bin/lib/typescript.mjs', import.meta.url))

/**
 * With an old generation of 256 MiB from the start, a process loads its code without a collection of all garbage, which takes a
 * fifth of the CPU of its start.
 */
export const SOURCE_ARGS: readonly string[] = [
  '--initial-old-space-size=256',
  '--conditions=source',
  '--import',
  loader,
]

/** File of a program in `bin`, to run with `SOURCE_ARGS`: the bundle that `npm test` made, which loads faster, or the source. */
export const programFile = (name: 'serve' | 'ctl'): string =>
  process.env.TEST_PROGRAMS
    ? join(process.env.TEST_PROGRAMS, `${name}.mjs`)
    : fileURLToPath(new URL(`../../../bin/${name}.ts`, import.meta.url))
