/** Ports on loopback: free ones are found once and then kept, so that an address survives a restart. */
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { refusal } from './say.mjs'

/** Below the range from which systems take ports for outgoing connections. */
const [lowest, highest] = [20_000, 30_000]

/** True when nothing listens on this port. */
export const isFree = (port, host = '127.0.0.1') =>
  new Promise((answer) => {
    const probe = createServer()
    probe.once('error', () => answer(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => answer(true)))
  })

/** A free port that is not among the given ones; the preferred one if that is free. */
export async function freePort(taken = [], preferred = randomInt(lowest, highest)) {
  let port = preferred
  for (let tries = 0; tries < 100; tries++) {
    if (!taken.includes(port) && (await isFree(port))) return port
    port = randomInt(lowest, highest)
  }
  throw refusal('No free port was found on 127.0.0.1 between 20000 and 29999.')
}

/**
 * One port per name: the asked one (which must be free), else the one of last time, else any free one.
 * @param {string} dir keeps ports.json
 * @param {string[]} names
 * @param {Record<string, number>} asked
 * @returns {Promise<Record<string, number>>}
 */
export async function choosePorts(dir, names, asked = {}) {
  const file = join(dir, 'ports.json')
  const before = keptPorts(file)
  const ports = {}
  for (const name of names) {
    if (asked[name] !== undefined && !(await isFree(asked[name]))) {
      throw refusal(`Port ${asked[name]} (${name}) is taken by another program: free it or choose another one.`)
    }
    ports[name] = asked[name] ?? (await freePort(Object.values(ports), before[name]))
  }
  writeFileSync(file, `${JSON.stringify({ ...before, ...ports }, null, 2)}\n`)
  return ports
}

function keptPorts(file) {
  try {
    const kept = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
    return Object.fromEntries(kept.filter(([, port]) => Number.isInteger(port) && port > 0 && port < 65_536))
  } catch {
    return {}
  }
}
