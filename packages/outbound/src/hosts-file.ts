/** Reads the system's hosts file, whose names take precedence over name servers. */

import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Addresses of a name in the hosts file; undefined when absent. */
export type HostsFile = (name: string) => Promise<readonly string[] | undefined>

const systemPath = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
const largest = 32 * 1024 * 1024
const checkAfterMs = 1_000

/**
 * Checks size and time of the hosts file at most once a second, and reads the file again when they changed. A missing,
 * unreadable or oversized file counts as empty. `now` returns milliseconds.
 */
export function createHostsFile(now: () => number, path = systemPath): HostsFile {
  let checkedAt = Number.NEGATIVE_INFINITY
  let mark = ''
  let known: Promise<Map<string, string[]>> = Promise.resolve(new Map())

  const refresh = async (before: Promise<Map<string, string[]>>) => {
    const found = await stat(path).catch(() => null)
    const seen = found?.isFile() && found.size <= largest ? `${found.mtimeMs}/${found.size}/${found.ino}` : ''
    if (seen === mark) return before
    mark = seen
    return seen ? readFile(path, 'utf8').then(parseHosts, () => new Map<string, string[]>()) : new Map()
  }

  return async (name) => {
    if (Math.abs(now() - checkedAt) >= checkAfterMs) {
      checkedAt = now()
      known = refresh(known)
    }
    return (await known).get(name.toLowerCase())
  }
}

/** Name to addresses, from text in the format of hosts(5): an address, then names, `#` starts a comment. */
export function parseHosts(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (!address || !isIP(address)) continue
    for (const name of names) {
      const key = name.toLowerCase()
      found.set(key, [...(found.get(key) ?? []), address])
    }
  }
  return found
}
