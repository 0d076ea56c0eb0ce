/** Work directories: one private directory per use, deleted afterwards, or by a sweep if its process ended (F008). */
import { mkdir, mkdtemp, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import { makeFolder } from '@murmuration/kernel'
import { isFull } from './full-disk.rules.js'

export interface WorkDirectories {
  /**
   * Calls `work` with the path of a new empty directory, and deletes the directory afterwards. If the disk is full,
   * throws the error `no_space`.
   */
  use<T>(work: (dir: string) => Promise<T>): Promise<T>
  /** Deletes directories of ended processes. Returns the number of deleted directories. */
  sweep(): Promise<number>
  close(): Promise<void>
}

const PREFIX = 'murmuration-media-'
/**
 * Milliseconds (30 minutes) since the last change of a directory of another machine, after which it counts as unused.
 * The sweeps of a running machine update the time more often.
 */
const STALE_MS = 30 * 60_000

/** Error for a full disk of the work directories. */
export const noSpace = (cause?: unknown) =>
  fail('no_space', 'There is no space left for uploads, please try again later', { cause, retryAfter: 60 })

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Creates a subdirectory of a work directory, for concurrent work in it. */
export const subdirectoryOf = async (dir: string, name: string): Promise<string> => {
  const path = join(dir, name)
  await mkdir(path)
  return path
}

/** Creates work directories below `parent`. Nothing is written before the first directory is created. */
export const createWorkDirectories = (parent: string): WorkDirectories => {
  const ownPrefix = `${PREFIX}${hostname().replaceAll(/[^\w-]/g, '_')}-`
  let root: Promise<string> | undefined
  // Directories of this process that are in use. Other directories may have the same process id: several services share
  // a process, and an ended process may have had the id.
  const roots = livingRoots(parent)

  const rootDir = (): Promise<string> => {
    root ??= Promise.try(() => makeFolder(parent))
      .then(() => mkdtemp(join(parent, `${ownPrefix}${process.pid}-`)))
      .then((made) => {
        roots.add(made)
        return made
      })
    root.catch(() => {
      root = undefined
    })
    return root
  }

  const isDead = async (name: string): Promise<boolean> => {
    const path = join(parent, name)
    if (roots.has(path)) return false
    const pid = name.startsWith(ownPrefix) ? /^(\d+)-/.exec(name.slice(ownPrefix.length))?.[1] : undefined
    if (pid !== undefined) return Number(pid) === process.pid || !alive(Number(pid))
    const at = await stat(path).catch(() => null)
    return at !== null && at.mtimeMs < Date.now() - STALE_MS
  }

  return {
    async use(work) {
      let dir: string | undefined
      try {
        dir = await mkdtemp(join(await rootDir(), 'job-'))
        return await work(dir)
      } catch (error) {
        throw isFull(error) ? noSpace(error) : error
      } finally {
        if (dir !== undefined) await rm(dir, { recursive: true, force: true })
      }
    },
    async sweep() {
      if (root) await utimes(await root, new Date(), new Date()).catch(() => undefined)
      const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(PREFIX))
      const dead = (await Promise.all(names.map(async (name) => ({ name, dead: await isDead(name) })))).filter(
        (one) => one.dead,
      )
      await Promise.all(dead.map(({ name }) => rm(join(parent, name), { recursive: true, force: true })))
      return dead.length
    },
    async close() {
      const made = await root?.catch(() => undefined)
      if (made === undefined) return
      roots.delete(made)
      await rm(made, { recursive: true, force: true })
    },
  }
}

const living = new Map<string, Set<string>>()
const livingRoots = (parent: string): Set<string> => {
  const known = living.get(parent) ?? new Set()
  living.set(parent, known)
  return known
}

/** Reads the first bytes of a file. */
export const readHead = async (path: string, bytes: number): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
