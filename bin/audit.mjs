/**
 * `npm run audit`: fetches known vulnerabilities of the packages in the product from the package registry. Fails for those of
 * severity high or critical, unless docs/reference/audit-waivers.json has a waiver with an end date and a reason.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './lib/machine.mjs'

const GRAVE = ['high', 'critical']
const run = promisify(execFile)

/** Runs `npm audit` and returns its report as parsed JSON. npm exits with 1 if it found vulnerabilities, which is no failure here. */
const ask = async () => {
  const how = { cwd: root, maxBuffer: 1e8, timeout: 120_000 }
  const { stdout } = await run('npm', ['audit', '--omit=dev', '--json'], how).catch((error) => error)
  try {
    return JSON.parse(stdout)
  } catch {
    return null
  }
}

/** Security advisories without duplicates, because one advisory may affect several packages. */
const advisoriesOf = ({ vulnerabilities }) => {
  const all = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one === 'object'))
  return [...new Map(all.map((one) => [one.url, one])).values()]
}

const today = new Date().toISOString().slice(0, 10)
const file = process.env.AUDIT_WAIVERS || join(root, 'docs/reference/audit-waivers.json')
const waivers = JSON.parse(readFileSync(file, 'utf8'))
const problems = waivers.flatMap(({ advisory, until, reason }) => {
  if (!advisory || !/^\d{4}-\d\d-\d\d$/.test(until) || !reason)
    return [`A waiver needs advisory, until (YYYY-MM-DD) and reason: ${advisory ?? 'one has no name'}.`]
  return until < today ? [`The waiver of ${advisory} ended on ${until}.`] : []
})
const waived = new Set(waivers.map(({ advisory }) => advisory))

const response = await ask()
if (response?.vulnerabilities === undefined) {
  console.warn(`NOT AUDITED: the package registry did not respond (${response?.message ?? 'no response'}).`)
} else {
  const advisories = advisoriesOf(response)
  for (const { url, severity, name, title } of advisories) {
    const isWaived = waived.has(url.split('/').pop())
    console.log(`${severity}${isWaived ? ' (waived)' : ''}: ${name}: ${title} ${url}`)
    if (GRAVE.includes(severity) && !isWaived) problems.push(`${name}: ${title} (${url})`)
  }
  if (advisories.length === 0) console.log('nothing is known to be wrong with what the product is made of')
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length ? 1 : 0
