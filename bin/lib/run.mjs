/** Runs a program until it ends and collects its output, with limits of time and size. */
import { spawn } from 'node:child_process'

const maxOutput = 4_000_000

/**
 * Runs a program and returns its exit code and output.
 * @param {string[]} argv program and arguments
 * @param {{cwd?: string, env?: object, timeout?: number, detach?: boolean, signal?: AbortSignal}} options timeout in
 *   milliseconds; detach: Ctrl-C at the terminal does not interrupt the program
 * @returns {Promise<{ok: boolean, code: number | null, stdout: string, stderr: string}>} never rejects
 */
export const run = ([program, ...args], { cwd, env, timeout = 60_000, detach = false, signal } = {}) =>
  new Promise((done) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: detach,
      timeout,
      signal,
    })
    const printed = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        if (printed[name].length < maxOutput) printed[name] += text
      })
    }
    child.once('error', (error) => done({ ok: false, code: null, stdout: '', stderr: error.message }))
    child.once('close', (code) => done({ ok: code === 0, code, ...printed }))
  })

/** Returns the last line of a text that is not empty, for error messages. */
export const lastLine = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .at(-1) ?? ''
