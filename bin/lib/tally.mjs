/** Counts results in the JSON report of a test run: passed, failed with their errors, and not run because a tool is missing. */
import { existsSync, readFileSync } from 'node:fs'
import { shown } from './say.mjs'

const linesOfAnError = 12

/**
 * Counts the results in the report of a test run. A file that failed without a failed test counts as one failure, for
 * example if a hook threw. A run that failed without any failure in its report, or without a report, counts as one
 * failure, too.
 * @param {string} file the report, in the format that jest and vitest share
 * @param {number | null} exitCode of the run
 * @returns {{passed: number, failed: number, failures: string[], notRun: Record<string, number>}} each failure with its
 *   file, its name and its error; notRun counts skipped tests by the tool in the title of their suite, "… (needs docker)"
 */
export function tally(file, exitCode) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  const passed = report?.numPassedTests ?? 0
  const failures = (report?.testResults ?? []).flatMap(failuresOf)
  if (failures.length === 0 && exitCode !== 0)
    failures.push(`The run ended with ${exitCode} and named no failing test.`)
  return { passed, failed: failures.length, failures, notRun: notRun(report?.testResults ?? []) }
}

/**
 * Names of the tests and files that passed in a report, in the form of the first line of a failure of `tally`. A name that also failed
 * is left out.
 * @param {string} file the report
 * @returns {Set<string>}
 */
export function passedNames(file) {
  const files = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : []
  const namesOf = (wanted) =>
    files.flatMap(({ name, status, assertionResults }) => [
      ...(status === wanted ? [shown(name)] : []),
      ...assertionResults.filter((test) => test.status === wanted).map((test) => `${shown(name)} > ${test.fullName}`),
    ])
  const failed = new Set(namesOf('failed'))
  return new Set(namesOf('passed').filter((name) => !failed.has(name)))
}

function notRun(files) {
  const counts = {}
  for (const { fullName, status } of files.flatMap((file) => file.assertionResults)) {
    const tool = /\(needs (\w+)\)/.exec(fullName ?? '')?.[1]
    if (tool && (status === 'skipped' || status === 'pending')) counts[tool] = (counts[tool] ?? 0) + 1
  }
  return counts
}

function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  const path = shown(name)
  if (failed.length === 0) return status === 'failed' ? [`${path}\n${shortened(message)}`] : []
  return failed.map((test) => `${path} > ${test.fullName}\n${shortened(test.failureMessages?.join('\n'))}`)
}

const shortened = (text = '') =>
  text
    .split('\n')
    .filter((line) => !line.includes('node_modules/') && !line.includes('(node:'))
    .slice(0, linesOfAnError)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n')
