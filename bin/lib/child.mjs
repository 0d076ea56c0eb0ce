/**
 * Starts long-running child processes in their own process groups. They end with this process, and are stopped with a
 * grace period.
 */
import { spawn, spawnSync } from 'node:child_process'
import { which } from './machine.mjs'

const hasDeathSignal =
  which('setpriv') !== null && spawnSync('setpriv', ['--help'], { encoding: 'utf8' }).stdout.includes('--pdeathsig')

/** Prefix of a command line with which the kernel sends this signal to the program when its parent process ends, even by SIGKILL. */
export const endingWithParent = (signal) =>
  hasDeathSignal ? ['setpriv', '--pdeathsig', signal.replace('SIG', ''), '--'] : []

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {number} pid
 * @property {string} stopSignal
 * @property {Promise<string>} ended exit code or signal as text: "code 1" or "SIGKILL"
 * @property {Promise<unknown>} closed fulfilled when it ended and its output was read completely
 * @property {() => boolean} runs
 * @property {(patience?: number) => Promise<void>} stop sends stopSignal, waits `patience` ms, then kills it
 */

/**
 * Starts a program in its own process group, so that Ctrl-C at the terminal reaches only its supervisor.
 * @param {{name: string, argv: string[], stopSignal: string, insistSignal?: string, env?: object, cwd?: string,
 *   output: number | 'pipe'}} options argv: with the prefix of endingWithParent; insistSignal: sent before SIGKILL
 * @returns {Child & {stdout: import('node:stream').Readable | null, stderr: import('node:stream').Readable | null}}
 */
export function startChild({ name, argv: [program, ...args], stopSignal, insistSignal, env, cwd, output }) {
  const spawned = spawn(program, args, { stdio: ['ignore', output, output], env, cwd, detached: true })
  let running = true
  const ended = new Promise((done) => {
    const end = (how) => {
      running = false
      done(how)
    }
    spawned.once('exit', (code, signal) => end(signal ?? `code ${code}`))
    spawned.on('error', (error) => {
      if (spawned.pid === undefined) end(error.message)
    })
  })
  const closed = new Promise((done) => {
    spawned.once('close', done)
  })
  const stop = async (patience = 10_000) => {
    const steps = [
      [stopSignal, patience],
      [insistSignal ?? 'SIGKILL', 5_000],
      ['SIGKILL', 5_000],
    ]
    for (const [signal, wait] of steps) {
      if (!running) return
      spawned.kill(signal)
      await endsWithin(ended, wait)
    }
  }
  const { pid, stdout, stderr } = spawned
  return { name, pid, stopSignal, ended, closed, runs: () => running, stop, stdout, stderr }
}

/** Resolves to true if `ended` is fulfilled within `wait` milliseconds, else to false. */
export function endsWithin(ended, wait) {
  let timer
  const late = new Promise((done) => {
    timer = setTimeout(done, wait, false)
  })
  return Promise.race([ended.then(() => true), late]).finally(() => clearTimeout(timer))
}
