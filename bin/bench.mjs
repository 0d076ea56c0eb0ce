/** `npm run bench [-- NAME …]`: starts its own servers below .data/bench and runs bench/run.ts with them. */
import { join } from 'node:path'
import { startBacking } from './lib/backing.mjs'
import { bootstrap, sourceArgv } from './lib/bootstrap.mjs'
import { interruption } from './lib/interruption.mjs'
import { root } from './lib/machine.mjs'
import { explain } from './lib/say.mjs'
import { runStage } from './lib/stage.mjs'

try {
  const node = bootstrap()
  const { signal } = interruption()
  const backing = await startBacking({ dir: join(root, '.data/bench'), fresh: true, signal })
  try {
    process.exitCode = await runStage({
      name: 'bench',
      argv: [...sourceArgv(node, 'bench/run.ts'), ...process.argv.slice(2)],
      env: { ...backing.env, BENCH_PIDS: JSON.stringify(backing.pids) },
      signal,
    })
  } finally {
    await backing.stop()
  }
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
