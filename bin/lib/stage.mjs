/** One stage of a test run: a program with a time limit. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { endingWithParent, endsWithin } from './child.mjs'
import { root } from './machine.mjs'
import { say } from './say.mjs'

/** Milliseconds after which a stage of a test run is killed. On an idle machine, a stage takes ten minutes. */
const longest = 75 * 60_000

/**
 * Runs a program until it ends. After the signal is aborted, the program has some seconds to end, because it got Ctrl-C as well.
 * @param {{name: string, argv: string[], env?: object, signal: AbortSignal, outputFile?: string | null, niceness?: number}} options
 *   outputFile: file for the output, which is printed when the program ended; null: the program writes to the terminal.
 *   niceness: added to that of this process; programs with a lower one get the processor first
 * @returns {Promise<number | null>} its exit code; null when it was killed
 */
export async function runStage({ name, argv, env, signal, outputFile = null, niceness = 0 }) {
  const began = performance.now()
  const [program, ...args] = [...endingWithParent('SIGTERM'), ...argv]
  const output = outputFile === null ? 'inherit' : openSync(outputFile, 'w')
  const stdio = ['inherit', output, output]
  const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env }, timeout: longest })
  if (child.pid) setPriority(child.pid, Math.min(19, getPriority() + niceness))
  const ended = new Promise((done) => {
    child.once('error', (error) => {
      say(`${name}: ${error.message}`)
      done(null)
    })
    child.once('exit', done)
  })
  const end = async () => {
    for (const name of ['SIGTERM', 'SIGKILL']) {
      if (await endsWithin(ended, 5_000)) return
      child.kill(name)
    }
  }
  signal.addEventListener('abort', end, { once: true })
  const code = await ended
  signal.removeEventListener('abort', end)
  if (outputFile !== null) {
    closeSync(output)
    process.stdout.write(readFileSync(outputFile))
  }
  say(`${name}: ${code === 0 ? 'passed' : 'failed'} in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return code
}
