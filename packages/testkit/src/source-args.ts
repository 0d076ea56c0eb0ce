/** Arguments of Node that run a TypeScript file from its source. */
import { fileURLToPath } from 'node:url'

const loader = fileURLToPath(new URL('../../../bin/lib/typescript.mjs', import.meta.url))

export const SOURCE_ARGS: readonly string[] = ['--conditions=source', '--import', loader]
