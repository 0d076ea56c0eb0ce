/** Ports on loopback. Free ports are chosen once and stored, so that addresses survive a restart. */
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { refusal } from './say.mjs'

/** Range of the ports that are chosen. It is below the range that the kernel uses for outgoing connections. */
const [lowest, highest] = [20_000, 30_000]

/** Whether no process listens on the port. */
export const isFree = (port, host = '127.0.0.1') =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })

/** Returns a free port that is not in `taken`: `preferred`, if that port is free. */
export async function freePort(taken = [], preferred = randomInt(lowest, highest)) {
  let port = preferred
  for (let tries = 0; tries < 100; tries++) {
    if (!taken.includes(port) && (await isFree(port))) return port
    port = randomInt(lowest, highest)
  }
  throw refusal('No free port was found on 127.0.0.1 between 20000 and 29999.')
}

/**
 * Returns one port per name: the required port (which must be free), else the port of the previous start, else any free port.
 * @param {string} dir folder of ports.json
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
