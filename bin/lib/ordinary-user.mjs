/** Runs PostgreSQL as an ordinary user, because it refuses to run as root. Does not change the machine. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { endingWithParent } from './child.mjs'
import { isHidden, isRoot, which } from './machine.mjs'
import { refusal } from './say.mjs'

/**
 * @typedef {object} OrdinaryUser
 * @property {string} how text for the user
 * @property {(argv: string[], deathSignal: string) => string[]} wrap
 * @property {(path: string) => void} own makes the ordinary user the owner of a file, or of a folder with its content
 */

/** @returns {OrdinaryUser} */
export function ordinaryUser() {
  if (!isRoot) return { how: 'as you', wrap: (argv, signal) => [...endingWithParent(signal), ...argv], own: () => {} }
  const accounts = ['postgres', 'nobody'].map(accountOf).filter(Boolean)
  const found = inNamespace(accounts) ?? asAccount(accounts)
  if (found) return found
  throw refusal(
    'PostgreSQL does not run as root, and neither unshare nor setpriv can take root away here: start as an ordinary user, or set DATABASE_URL.',
  )
}

/**
 * Runs programs in a user namespace in which root has another user id. Files keep their owner, so this works below a
 * folder that only root may enter. The id must belong to an account, because initdb looks up its name.
 */
function inNamespace(accounts) {
  if (isHidden('unshare') || !accounts.length) return null
  const { uid, gid } = accounts[0]
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  if (spawnSync(prefix[0], [...prefix.slice(1), 'true']).status !== 0) return null
  return {
    how: 'in a user namespace',
    wrap: (argv, signal) => [...prefix, ...endingWithParent(signal), ...argv],
    own: (path) => give(path, 0, 0),
  }
}

/**
 * Describes how programs run as another account of this machine that has access to the program and the data; null
 * without one.
 */
function asAccount(accounts) {
  if (!accounts.length || !which('setpriv')) return null
  const { name, uid, gid } = accounts[0]
  const prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const become = (argv, signal) => {
    const [setpriv, ...deathSignal] = endingWithParent(signal)
    return setpriv ? [...prefix, ...deathSignal, ...argv] : [...prefix, '--', ...argv]
  }
  const reaches = (path) => spawnSync(prefix[0], [...prefix.slice(1), 'test', '-r', path]).status === 0
  const mustReach = (path) => {
    if (reaches(path)) return
    throw refusal(
      `PostgreSQL does not run as root, and the user ${name} may not enter ${closedFolder(path, reaches)}: move the project to a folder that everybody may enter, or start as an ordinary user.`,
    )
  }
  return {
    how: `as the user ${name}`,
    wrap(argv, signal) {
      mustReach(argv[0])
      return become(argv, signal)
    },
    own(path) {
      give(path, uid, gid)
      mustReach(path)
    },
  }
}

const closedFolder = (path, reaches) => {
  const above = dirname(path)
  return above === path || reaches(above) ? path : closedFolder(above, reaches)
}

function accountOf(name) {
  const [uid, gid] = ['-u', '-g'].map((which) => Number(spawnSync('id', [which, name], { encoding: 'utf8' }).stdout))
  return uid && gid ? { name, uid, gid } : null
}

/** Changes the owner of a folder and its content. Does nothing if the folder has this owner, because a large folder takes long. */
function give(path, uid, gid) {
  if (!existsSync(path) || statSync(path).uid === uid) return
  const { status, stderr } = spawnSync('chown', ['-R', `${uid}:${gid}`, path], { encoding: 'utf8' })
  if (status !== 0) throw refusal(`${path} could not be given to user ${uid}: ${stderr.trim()}`)
}
