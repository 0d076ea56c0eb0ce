/**
 * `node bin/dev-env.mjs [--dir DIR] [--fresh] [-- command …]`: starts the backing services only. With a command, runs it with
 * their addresses in its environment, and stops them afterwards. Without one, prints `export` lines and runs until Ctrl-C.
 */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBacking } from './lib/backing.mjs'
import { interruption } from './lib/interruption.mjs'
import { root } from './lib/machine.mjs'
import { explain, refusal } from './lib/say.mjs'

async function main() {
  const { values, positionals: command } = options()
  const { signal, stop, over } = interruption()
  const backing = await startBacking({
    dir: values.dir,
    fresh: values.fresh,
    // If the data is deleted afterwards (`--fresh`), writes need not wait for the disk.
    lasting: !values.fresh,
    signal,
    onLost: (sentence) => stop(refusal(sentence)),
  })
  try {
    if (command.length) return await runWith(command, backing.env, signal)
    for (const [name, value] of Object.entries(backing.env)) console.log(`export ${name}='${value}'`)
    await over
    if (signal.reason.name === 'Refusal') throw signal.reason
    return 0
  } finally {
    await backing.stop()
  }
}

function options() {
  const known = { dir: { type: 'string', default: join(root, '.data/dev') }, fresh: { type: 'boolean' } }
  try {
    return parseArgs({ options: known, allowPositionals: true })
  } catch (error) {
    throw refusal(`${error.message}\nUsage: node bin/dev-env.mjs [--dir DIR] [--fresh] [-- command …]`)
  }
}

/**
 * Runs the command in the foreground, so that it gets Ctrl-C directly. Signals that only this process gets are
 * forwarded to the command.
 */
function runWith([program, ...args], env, signal) {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env, PATH: path } })
  signal.addEventListener('abort', () => child.kill('SIGTERM'))
  return new Promise((done, failed) => {
    child.once('error', (error) => failed(refusal(`${program} could not be run: ${error.message}`)))
    child.once('exit', (code) => done(code ?? 130))
  })
}

try {
  process.exitCode = await main()
} catch (error) {
  if (error.name !== 'AbortError') console.error(explain(error))
  process.exitCode = 1
}
process.exit()
