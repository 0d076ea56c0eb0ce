/** Counting of a test report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { passedNames, tally } from './tally.mjs'

function reportOf(report: object) {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('tests are counted, and failures have the first lines of their errors', () => {
  const failureMessages = ['Error: 1 is not 2\n    at sum.ts:1\n    at node_modules/runner.js:1\n']
  const testResults = [
    {
      name: '/a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'failed', fullName: 'S-001 adds', failureMessages },
        { status: 'passed', fullName: 'takes away' },
      ],
    },
    { name: '/b.test.ts', status: 'failed', message: 'it does not load', assertionResults: [] },
    { name: '/c.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'stands' }] },
  ]
  const { passed, failed, failures } = tally(reportOf({ numPassedTests: 2, numFailedTests: 1, testResults }), 1)
  expect({ passed, failed }).toEqual({ passed: 2, failed: 2 })
  expect(failures[0]).toMatch(/^\/a\.test\.ts > S-001 adds\n {4}Error: 1 is not 2\n {8}at sum\.ts:1\n/)
  expect(failures[0]).not.toContain('runner.js')
  expect(failures[1]).toBe('/b.test.ts\n    it does not load')
})

test('names of passed tests and files have the form of the first line of a failure', () => {
  const testOf = (status: string) => ({ status, fullName: 'S-001 adds', failureMessages: ['Error: 1 is not 2'] })
  const fileOf = (name: string, ...states: string[]) => ({
    name,
    status: states.includes('failed') ? 'failed' : 'passed',
    message: '',
    assertionResults: states.map(testOf),
  })
  const first = { numPassedTests: 0, testResults: [fileOf('/a.test.ts', 'failed'), fileOf('/b.test.ts', 'failed')] }
  const second = { numPassedTests: 1, testResults: [fileOf('/a.test.ts', 'passed'), fileOf('/b.test.ts', 'failed')] }
  const names = tally(reportOf(first), 1).failures.map((failure) => failure.split('\n')[0] ?? '')
  const passed = passedNames(reportOf(second))
  expect(names.map((name) => passed.has(name))).toEqual([true, false])
  expect(passed.has('/a.test.ts')).toBe(true)
  expect(passedNames('/nowhere/report.json').size).toBe(0)
})

test('a run that failed without a reason counts as one failure', () => {
  const whole = { numPassedTests: 3, numFailedTests: 0, testResults: [] }
  expect(tally('/nowhere/report.json', null)).toMatchObject({ passed: 0, failed: 1 })
  expect(tally(reportOf(whole), 1)).toMatchObject({ passed: 3, failed: 1 })
  expect(tally(reportOf(whole), 0)).toEqual({ passed: 3, failed: 0, failures: [], notRun: {} })
})

test('skipped tests are counted by the tool that their suite needs', () => {
  const assertionResults = [
    { status: 'skipped', fullName: 'the image (needs docker) starts' },
    { status: 'pending', fullName: 'the image (needs docker) stops' },
    { status: 'skipped', fullName: 'the pages (needs chromium) fit' },
    { status: 'passed', fullName: 'the recipe (needs docker) is pinned' },
    { status: 'skipped', fullName: 'is for later' },
  ]
  const testResults = [{ name: '/a.test.ts', status: 'passed', assertionResults }]
  expect(tally(reportOf({ numPassedTests: 1, testResults }), 0).notRun).toEqual({ docker: 2, chromium: 1 })
})
