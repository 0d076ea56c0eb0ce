/** Starts one backing server and waits until it responds. A failure is an error with one sentence. */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.mjs'
import { openLog, textSince } from './log-file.mjs'
import { lastLine } from './run.mjs'
import { refusal, shown } from './say.mjs'
import { until } from './until.mjs'

/**
 * Starts a server and waits until it responds.
 * @param {{name: string, argv: string[], stopSignal: string, insistSignal?: string, env?: object, dir: string,
 *   hold: {remember: (child: object) => void}, responds: () => Promise<boolean>, blames?: RegExp, signal?: AbortSignal,
 *   onStart: (child: import('./child.mjs').Child) => void}} options
 *   responds: one health check; blames: matches log lines with the reason of a failure; onStart: called before the wait, so that
 *   an aborted start can be stopped
 * @returns {Promise<import('./child.mjs').Child>} fulfilled when it responds
 */
export async function startServer({
  name,
  argv,
  stopSignal,
  insistSignal,
  env,
  dir,
  hold,
  responds,
  blames,
  signal,
  onStart,
}) {
  const file = join(dir, 'log', `${name.toLowerCase()}.log`)
  const log = openLog(file)
  const child = startChild({ name, argv, stopSignal, insistSignal, env: { ...process.env, ...env }, output: log.fd })
  closeSync(log.fd)
  if (child.pid) hold.remember(child)
  onStart(child)
  const responded = await until(async () => !child.runs() || (await responds()), { within: 30_000, signal })
  if (responded && child.runs()) return child
  const lines = textSince(file, log.from).split('\n')
  const reason = lastLine(lines.filter((line) => blames?.test(line)).join('\n')) || lastLine(lines.join('\n'))
  const how = child.runs() ? 'did not respond within 30 s' : `did not start (${await child.ended})`
  throw refusal(`${name} ${how}${reason ? `: ${reason}` : ''}; its log is ${shown(file)}.`)
}
