/** Brings a program from Debian's own archive: installed when we are root, else unpacked beside our data. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isHidden, isRoot, root, which } from './machine.mjs'
import { lastLine, run } from './run.mjs'

/** Shared by all data folders: programs belong to the machine, not to the data. */
const programs = join(root, '.data/programs')

const patience = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20']

let last = Promise.resolve()

/**
 * One package at a time, because apt locks.
 * @param {{name: string, program: string, say: (text: string) => void}} wanted package and the program in it
 * @returns {Promise<{file: string, env: object} | {reason: string}>} env: what the program needs to find its libraries
 */
export function fromDebian(wanted) {
  const turn = last.then(() => bring(wanted))
  last = turn.catch(() => {})
  return turn
}

async function bring({ name, program, say }) {
  const before = unpacked(name, program)
  if (before) return before
  if (!which('apt-get') || !which('dpkg-deb')) return { reason: 'this machine has no apt' }
  let reason = ''
  if (isRoot && !isHidden(program)) {
    say(`installing ${name} with apt-get`)
    reason = await install(name)
    const file = which(program)
    if (file) return { file, env: {} }
  }
  say(`unpacking ${name} below .data/programs`)
  reason = (await unpack(name)) || reason
  return unpacked(name, program) ?? { reason: reason || 'the package does not hold it' }
}

const apt = (args, options) =>
  run(['apt-get', '-qq', ...patience, ...args], {
    timeout: 300_000,
    apart: true,
    env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    ...options,
  })

/** Empty when it worked, else apt's reason. The lists are refreshed only if the first try fails. */
async function install(name) {
  const args = ['install', '-y', '--no-install-recommends', name]
  if ((await apt(args)).ok) return ''
  await apt(['update'])
  const second = await apt(args)
  return second.ok ? '' : lastLine(second.stderr)
}

/** Fetches the package and what it needs that is not installed; apt checks signatures as always, nothing is installed. */
async function unpack(name) {
  const work = join(programs, `${name}.new`)
  const [lists, cache, fetched, tree] = ['lists', 'cache', 'fetched', 'tree'].map((folder) => join(work, folder))
  rmSync(work, { recursive: true, force: true })
  for (const folder of [join(lists, 'partial'), join(cache, 'archives/partial'), fetched, tree]) {
    mkdirSync(folder, { recursive: true })
  }
  const user = isRoot ? ['-o', 'APT::Sandbox::User=root'] : []
  const system = ['-o', 'Debug::NoLocking=1', '-o', `Dir::Cache=${cache}`, ...user]
  const own = [...system, '-o', `Dir::State::lists=${lists}`]
  let failed = await fetch(name, system, fetched)
  if (failed) {
    await apt([...own, 'update'])
    failed = await fetch(name, own, fetched)
  }
  if (failed) {
    rmSync(work, { recursive: true, force: true })
    return failed
  }
  const files = readdirSync(fetched).map((file) => join(fetched, file))
  const results = await Promise.all(files.map((file) => run(['dpkg-deb', '-x', file, tree])))
  const broken = results.find((result) => !result.ok)
  if (!broken) {
    rmSync(join(programs, name), { recursive: true, force: true })
    renameSync(tree, join(programs, name))
  }
  rmSync(work, { recursive: true, force: true })
  return broken ? lastLine(broken.stderr) : ''
}

async function fetch(name, options, folder) {
  const plan = await apt([...options, 'install', '--print-uris', '-y', '--no-install-recommends', name])
  const names = plan.stdout.split('\n').flatMap((line) => /^'\S+' ([^_\s]+)_/.exec(line)?.[1] ?? [])
  const result = await apt([...options, 'download', ...(names.length ? names : [name])], { cwd: folder })
  return result.ok ? '' : lastLine(result.stderr) || `apt-get ended with code ${result.code}`
}

function unpacked(name, program) {
  const tree = join(programs, name)
  const file = ['usr/bin', 'usr/sbin'].map((folder) => join(tree, folder, program)).find((path) => existsSync(path))
  if (!file) return null
  const lib = join(tree, 'usr/lib')
  const libraries = existsSync(lib) ? readdirSync(lib).filter((folder) => folder.includes('-linux-gnu')) : []
  return { file, env: { LD_LIBRARY_PATH: libraries.map((folder) => join(lib, folder)).join(':') } }
}
