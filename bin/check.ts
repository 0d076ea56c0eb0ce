/** `npm run check`: checks the sources. Prints each problem with its remedy. */
import { changelogProblems } from './generate/changelog.js'
import { generated } from './generate/index.js'
import { contractRules } from './rules/contracts.js'
import { cycleRules } from './rules/cycles.js'
import { documentRules } from './rules/documents.js'
import { type Problem, read } from './rules/files.js'
import { importRules } from './rules/imports.js'
import { jobRules } from './rules/jobs.js'
import { messageRules } from './rules/messages.js'
import { migrationRules } from './rules/migrations.js'
import { moduleRules } from './rules/modules.js'
import { proseRules } from './rules/prose.js'
import { shapeRules } from './rules/shape.js'
import { timeRules } from './rules/times.js'
import { versionRules } from './rules/versions.js'
import { loadAll } from './services.js'

const apps = await loadAll()
const stale = async (): Promise<Problem[]> => {
  const files = await generated(apps)
  return Object.entries(files).flatMap(([path, text]) => {
    let found = ''
    try {
      found = read(path)
    } catch {
      return [`${path} is missing: run npm run gen`]
    }
    return found === text ? [] : [`${path} is not what npm run gen writes`]
  })
}

const rules: [string, () => Problem[] | Promise<Problem[]>][] = [
  ['imports', importRules],
  ['cycles', cycleRules],
  ['modules', moduleRules],
  ['shape', shapeRules],
  ['contracts', () => contractRules(apps)],
  ['jobs', jobRules],
  ['messages', messageRules],
  ['migrations', migrationRules],
  ['times', timeRules],
  ['versions', versionRules],
  ['documents', documentRules],
  ['prose', proseRules],
  ['changes', changelogProblems],
  ['generated', stale],
]
let total = 0
for (const [name, rule] of rules) {
  const problems = await rule()
  total += problems.length
  process.stdout.write(
    `${problems.length ? '✗' : '✓'} ${name}${problems.map((problem) => `\n    ${problem}`).join('')}\n`,
  )
}
process.exitCode = total ? 1 : 0
