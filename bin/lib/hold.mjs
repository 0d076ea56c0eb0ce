/** Holds a data folder for one supervisor at a time, and ends what a killed one left behind. */
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { identityOf, isRunning } from './identity.mjs'
import { refusal, shown } from './say.mjs'
import { until } from './until.mjs'

/**
 * @param {string} dir made when missing
 * @returns {Promise<{remember: (child: {name: string, pid: number, stopSignal: string}) => void, release: () => void}>}
 *   remember: write a child down so that the next start can end it if we are killed; release: when all have ended
 */
export async function holdFolder(dir) {
  makeFolder(dir)
  const file = join(dir, 'running.json')
  const mine = { ...identityOf(process.pid), children: [] }
  // Each round either claims the file or clears a dead one away; another start may win a round in between.
  for (let round = 0; !claim(file, mine); round++) {
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
      mine.children = mine.children.filter(isRunning)
      mine.children.push({ name, stopSignal, ...identityOf(pid) })
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(mine), { mode: 0o600 })
      renameSync(`${file}.${process.pid}`, file)
    },
    release: () => rmSync(file, { force: true }),
  }
}

/** Makes a folder and those above it. Node's own recursive call never returns below /proc. */
function makeFolders(dir) {
  if (existsSync(dir)) return
  makeFolders(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o711 })
  } catch (error) {
    // Another start may have made it in the same moment.
    if (!existsSync(dir)) throw error
  }
}

/** A folder that can be made and written, or one sentence about why not. */
function makeFolder(dir) {
  try {
    makeFolders(resolve(dir))
    accessSync(dir, constants.W_OK)
  } catch (error) {
    throw refusal(
      `The data folder ${shown(dir)} cannot be written (${error.code}): mend that, or choose another with DATA_DIR=FOLDER npm start.`,
      error,
    )
  }
}

/** A hard link appears with its content, all at once, and only if the name was free. */
function claim(file, mine) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 })
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

/** Takes a dead record away, unless another start replaced it since it was read. */
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

/** Children of a killed supervisor are normally told by the system to end; those still at it get time, then an end. */
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
    // It ended in between.
  }
}
