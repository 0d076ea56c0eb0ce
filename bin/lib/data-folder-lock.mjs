/** Locks a data folder for one supervisor at a time, and ends the children of a killed supervisor. */
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { identityOf, isRunning } from './identity.mjs'
import { refusal, shown } from './say.mjs'
import { until } from './until.mjs'

/**
 * Locks a data folder for this process.
 * @param {string} dir created if missing
 * @returns {Promise<{remember: (child: {name: string, pid: number, stopSignal: string}) => void, release: () => void}>}
 *   remember: records a child, so that the next start can end it if this process is killed;
 *   release: called when all children have ended
 */
export async function lockDataFolder(dir) {
  makeFolder(dir)
  const file = join(dir, 'running.json')
  const claimed = { ...identityOf(process.pid), children: [] }
  // Each round claims the lock file, or removes the lock file of a supervisor that no longer runs. Another start may
  // claim the file between two rounds.
  for (let round = 0; !claim(file, claimed); round++) {
    const text = textOf(file)
    const other = parsed(text)
    if (round > 20 || isRunning(other)) {
      throw refusal(
        `${shown(dir)} is in use by process ${other.pid}: stop that one first (Ctrl-C there, or kill ${other.pid}), or choose another data folder.`,
      )
    }
    await endLeftovers(other.children ?? [])
    retire(file, text)
  }
  return {
    remember({ name, pid, stopSignal }) {
      claimed.children = claimed.children.filter(isRunning)
      claimed.children.push({ name, stopSignal, ...identityOf(pid) })
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(claimed), { mode: 0o600 })
      renameSync(`${file}.${process.pid}`, file)
    },
    release: () => rmSync(file, { force: true }),
  }
}

/** Creates a folder and its parents. `mkdir` with `recursive` is not used, because it never returns below /proc. */
function makeFolders(dir) {
  if (existsSync(dir)) return
  makeFolders(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o711 })
  } catch (error) {
    // Another start may have created the directory at the same time.
    if (!existsSync(dir)) throw error
  }
}

/**
 * Creates a writable folder. If that fails, throws an error whose message is for the user. A file is written and
 * removed, because /proc permits root to write and then refuses each file.
 */
function makeFolder(dir) {
  const check = join(dir, `write-check.${process.pid}`)
  try {
    makeFolders(resolve(dir))
    writeFileSync(check, 'x', { mode: 0o600 })
    rmSync(check)
  } catch (error) {
    throw refusal(
      `The data folder ${shown(dir)} cannot be written (${error.code}): fix that, or choose another with DATA_DIR=FOLDER npm start.`,
      error,
    )
  }
}

/** Claims the lock file. A hard link is created atomically with its content, and only if no file of this name exists. */
function claim(file, claimed) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(claimed), { mode: 0o600 })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes the lock file of a supervisor that no longer runs, unless another start has replaced the file meanwhile. */
function retire(file, text) {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameSync(file, aside)
    if (textOf(aside) !== text) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? { pid: 0, born: null }
  } catch {
    return { pid: 0, born: null }
  }
}

/** Ends the children of a killed supervisor. Each gets its stop signal; children that do not end in time are killed. */
async function endLeftovers(children) {
  const left = children.filter(isRunning)
  for (const child of left) signalTo(child, child.stopSignal)
  if (await until(() => !left.some(isRunning), { within: 10_000 })) return
  for (const child of left.filter(isRunning)) signalTo(child, 'SIGKILL')
  await until(() => !left.some(isRunning), { within: 5_000 })
}

function signalTo({ pid }, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended before the signal was sent.
  }
}
