/** Counts what a test run says in its JSON report. */
import { existsSync, readFileSync } from 'node:fs'

/**
 * A file that failed without a failing test in it (it did not load, a hook threw) counts as one failure, and so does a
 * run that failed or wrote no report without naming anything.
 * @param {string} file the report, in the format that jest and vitest share
 * @param {number | null} exitCode of the run
 * @returns {{passed: number, failed: number}}
 */
export function tally(file, exitCode) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  const passed = report?.numPassedTests ?? 0
  const silent = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = (report?.numFailedTests ?? 0) + silent.length
  return { passed, failed: failed || exitCode === 0 ? failed : 1 }
}
