/** `npm run soak [-- --minutes N]`: starts its own servers below .data/soak, and runs bench/soak/run.ts for ten minutes by default. */
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
  const backing = await startBacking({ dir: join(root, '.data/soak'), fresh: true, signal })
  try {
    process.exitCode = await runStage({
      name: 'soak',
      argv: [...sourceArgv(node, 'bench/soak/run.ts'), ...process.argv.slice(2)],
      env: backing.env,
      signal,
    })
  } finally {
    await backing.stop()
  }
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
