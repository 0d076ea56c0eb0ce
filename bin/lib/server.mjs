/** Starts one backing server and waits until it responds. A failure is an error with one sentence. */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.mjs'
import { openLog, textSince } from './log-file.mjs'
import { lastLine } from './run.mjs'
import { refusal, shown } from './say.mjs'
import { until } from './until.mjs'

/** Milliseconds between two lines about a server that is recovering. */
const ROUND_MS = 10_000
/** Number of these rounds without a response after which the start fails. */
const MAX_SILENT = 3

/**
 * Waits until the server is ready, has ended, or cannot recover its data (`failed`). Returns the last state. Waits for a
 * recovering server without a limit: after a crash of the machine recovery may take minutes. If such a server is
 * stopped, its recovery starts from the beginning.
 */
async function stateAfterWait({ name, file, child, state, say, signal, roundMs }) {
  let last = 'silent'
  for (let silent = 0; silent < MAX_SILENT; ) {
    last = 'silent'
    const check = async () => {
      if (!child.runs()) return true
      last = await state()
      return last === 'ready' || last === 'failed'
    }
    if (await until(check, { within: roundMs, signal })) return last
    if (last === 'recovering') say(`${name} is recovering its data, which may take minutes; its log is ${shown(file)}`)
    silent = last === 'recovering' ? 0 : silent + 1
  }
  return last
}

/**
 * Starts a server and waits until it is ready.
 * @param {{name: string, argv: string[], stopSignal: string, insistSignal?: string, env?: object, dir: string,
 *   hold: {remember: (child: object) => void}, state: () => Promise<'ready' | 'recovering' | 'failed' | 'silent'>, say: (text: string) => void,
 *   blames?: RegExp, signal?: AbortSignal, onStart: (child: import('./child.mjs').Child) => void, roundMs?: number}} options
 *   state: one health check; blames: matches log lines with the reason of a failure; onStart: called before the wait, so that
 *   an aborted start can be stopped
 * @returns {Promise<import('./child.mjs').Child>} fulfilled when it is ready
 */
export async function startServer({
  name,
  argv,
  stopSignal,
  insistSignal,
  env,
  dir,
  hold,
  state,
  say,
  blames,
  signal,
  onStart,
  roundMs = ROUND_MS,
}) {
  const file = join(dir, 'log', `${name.toLowerCase()}.log`)
  const log = openLog(file)
  const child = startChild({ name, argv, stopSignal, insistSignal, env: { ...process.env, ...env }, output: log.fd })
  closeSync(log.fd)
  if (child.pid) hold.remember(child)
  onStart(child)
  const last = await stateAfterWait({ name, file, child, state, say, signal, roundMs })
  if (last === 'ready' && child.runs()) return child
  const lines = textSince(file, log.from).split('\n')
  const reason = lastLine(lines.filter((line) => blames?.test(line)).join('\n')) || lastLine(lines.join('\n'))
  const silence = `did not respond within ${(MAX_SILENT * roundMs) / 1_000} s`
  const how = !child.runs()
    ? `did not start (${await child.ended})`
    : last === 'failed'
      ? 'cannot recover its data'
      : silence
  throw refusal(`${name} ${how}${reason ? `: ${reason}` : ''}; its log is ${shown(file)}.`)
}
