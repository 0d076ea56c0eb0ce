/** One stage of a test run: a program that keeps the terminal and is bounded in time. */
import { spawn } from 'node:child_process'
import { endingWithParent, endsWithin } from './child.mjs'
import { root } from './machine.mjs'
import { say } from './say.mjs'

const longest = 30 * 60_000

/**
 * Runs a program to its end. When the signal is aborted it gets some seconds, because Ctrl-C reached it as well.
 * @param {{name: string, argv: string[], env?: object, signal: AbortSignal}} options
 * @returns {Promise<number | null>} its exit code, null when it was ended
 */
export async function runStage({ name, argv, env, signal }) {
  const began = performance.now()
  const [program, ...args] = [...endingWithParent('SIGTERM'), ...argv]
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env }, timeout: longest })
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
  say(`${name}: ${code === 0 ? 'passed' : 'failed'} in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return code
}
