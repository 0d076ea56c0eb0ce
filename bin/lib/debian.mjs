/** Provides a program from the Debian archive: installed as root, otherwise unpacked below .data. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isHidden, isRoot, root, which } from './machine.mjs'
import { lastLine, run } from './run.mjs'

/** Folder of programs unpacked from Debian packages. All data folders share it. */
const programs = join(root, '.data/programs')

const always = [
  'DPkg::Lock::Timeout=120',
  'Acquire::Retries=1',
  'Acquire::http::Timeout=20',
  'APT::Update::Error-Mode=any',
]

let last = Promise.resolve()

/**
 * Provides a program from a Debian package. Packages are installed one after the other, because apt locks its database.
 * @param {{name: string, program: string, beside?: string[], say: (text: string) => void}} wanted package and program in it;
 *   beside: further packages with parts of the program, which are unpacked even if they are installed
 * @returns {Promise<{file: string, env: object} | {reason: string}>} env: variables with which it finds its libraries
 */
export function fromDebian(wanted) {
  const installation = last.then(() => bring(wanted))
  last = installation.catch(() => {})
  return installation
}

async function bring({ name, program, beside = [], say }) {
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
  reason = (await unpack(name, beside)) || reason
  return unpacked(name, program) ?? { reason: reason || 'the package does not contain it' }
}

const apt = (args, options) =>
  run(['apt-get', '-qq', ...always.flatMap((option) => ['-o', option]), ...args], {
    timeout: 300_000,
    detach: true,
    env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    ...options,
  })

/**
 * Installs a Debian package. Returns an empty text, or the reason of a failure. The package lists are updated only if
 * the first try fails.
 */
async function install(name) {
  const args = ['install', '-y', '--no-install-recommends', name]
  if ((await apt(args)).ok) return ''
  return (await refreshed([])) || reasonOf(await apt(args))
}

const refreshed = async (options) => reasonOf(await apt([...options, 'update']))

/** Reason why apt failed: its first error, because later errors are consequences of it. */
const reasonOf = ({ ok, code, stderr }) =>
  ok ? '' : (/^E: (.+)$/m.exec(stderr)?.[1] ?? (lastLine(stderr) || `apt-get ended with code ${code}`))

/** Downloads a Debian package and its missing dependencies and unpacks them without installing them. apt verifies their signatures. */
async function unpack(name, beside) {
  const work = join(programs, `${name}.new`)
  const [lists, cache, fetched, tree] = ['lists', 'cache', 'fetched', 'tree'].map((folder) => join(work, folder))
  rmSync(work, { recursive: true, force: true })
  for (const folder of [join(lists, 'partial'), join(cache, 'archives/partial'), fetched, tree]) {
    mkdirSync(folder, { recursive: true })
  }
  const user = isRoot ? ['-o', 'APT::Sandbox::User=root'] : []
  const system = ['-o', 'Debug::NoLocking=1', '-o', `Dir::Cache=${cache}`, ...user]
  const own = [...system, '-o', `Dir::State::lists=${lists}`]
  const names = [name, ...beside]
  let failed = await fetch(names, system, fetched)
  if (failed) failed = (await refreshed(own)) || (await fetch(names, own, fetched))
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

async function fetch(names, options, folder) {
  const plan = await apt([...options, 'install', '--print-uris', '-y', '--no-install-recommends', names[0]])
  const missing = plan.stdout.split('\n').flatMap((line) => /^'\S+' ([^_\s]+)_/.exec(line)?.[1] ?? [])
  const wanted = [...new Set([...names, ...missing])]
  return reasonOf(await apt([...options, 'download', ...wanted], { cwd: folder }))
}

function unpacked(name, program) {
  const tree = join(programs, name)
  const file = ['usr/bin', 'usr/sbin'].map((folder) => join(tree, folder, program)).find((path) => existsSync(path))
  if (!file) return null
  const lib = join(tree, 'usr/lib')
  const libraries = existsSync(lib) ? readdirSync(lib).filter((folder) => folder.includes('-linux-gnu')) : []
  return { file, env: { LD_LIBRARY_PATH: libraries.map((folder) => join(lib, folder)).join(':') } }
}
