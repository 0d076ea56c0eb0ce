/**
 * Two whole clusters on two domains, with TLS and every outbound guard on. They live in a network namespace of their
 * own, so the tests themselves run inside it (`e2e/inside`); each of them is reported here by its name.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '@murmuration/testkit'
import { publicAddress, startNetwork } from '@murmuration/testkit/outside/network'
import { expect, test } from 'vitest'

interface Report {
  testResults: {
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** Runs the tests inside; gives their report and what was printed. */
const runInside = async (): Promise<{ report: Report | null; printed: string }> => {
  const root = repository()
  const dir = await mkdtemp(join(tmpdir(), 'murmuration-inside-'))
  const network = await startNetwork({
    hosts: { [publicAddress(1)]: ['one.example'], [publicAddress(2)]: ['two.example'] },
  })
  try {
    const output = join(dir, 'report.json')
    const vitest = [
      process.execPath,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(root, 'e2e/inside/vitest.config.ts'),
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${output}`,
    ]
    const [file = '', ...args] = network.wrap([
      process.execPath,
      join(root, 'bin/dev-env.mjs'),
      '--dir',
      join(dir, 'data'),
      '--',
      ...vitest,
    ])
    const { DATABASE_URL: _pg, NATS_URL: _nats, REDIS_URL: _redis, VITEST: _vitest, ...env } = process.env
    const child = spawn(file, args, { cwd: root, env: { ...env, INSIDE_DIR: dir } })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      printed += String(chunk)
    })
    await new Promise((resolve) => child.once('close', resolve))
    return { report: JSON.parse(await readFile(output, 'utf8').catch(() => 'null')) as Report | null, printed }
  } finally {
    await network.close()
    await rm(dir, { recursive: true, force: true })
  }
}

const { report, printed } = await runInside()
const results = report?.testResults.flatMap((file) => file.assertionResults) ?? []

test('the tests inside the network ran', () => {
  expect(
    results.length,
    `${report?.testResults.map((one) => one.message).join('\n')}\n${printed.slice(-4_000)}`,
  ).toBeGreaterThan(0)
})

for (const result of results)
  test(result.fullName, () => {
    expect(result.status, result.failureMessages.join('\n')).toBe('passed')
  })
