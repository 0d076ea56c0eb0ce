/** Tests of counting a test report. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tally } from './tally.mjs'

function reportOf(report: object) {
  const file = join(mkdtempSync(join(tmpdir(), 'tally-')), 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('tests are counted, and a file that did not load is one failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ]
  const file = reportOf({ numPassedTests: 2, numFailedTests: 1, testResults })
  expect(tally(file, 1)).toEqual({ passed: 2, failed: 2 })
})

test('a run that failed without saying why is one failure', () => {
  expect(tally('/nowhere/report.json', null)).toEqual({ passed: 0, failed: 1 })
  expect(tally(reportOf({ numPassedTests: 3, numFailedTests: 0, testResults: [] }), 1)).toEqual({
    passed: 3,
    failed: 1,
  })
  expect(tally(reportOf({ numPassedTests: 3, numFailedTests: 0, testResults: [] }), 0)).toEqual({
    passed: 3,
    failed: 0,
  })
})
