/** Runs a test file of `e2e/inside` in its own network namespace, and reports each of its tests under its name. */
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

/** Runs the tests in the namespace. Returns their report (null without one) and their output. */
const run = async (file: string, names: readonly string[]): Promise<{ report: Report | null; printed: string }> => {
  const root = repository()
  const dir = await mkdtemp(join(tmpdir(), 'murmuration-inside-'))
  const network = await startNetwork({
    hosts: Object.fromEntries(names.map((name, at) => [publicAddress(at + 1), [name]])),
  })
  try {
    const output = join(dir, 'report.json')
    const vitest = [
      process.execPath,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      file,
      '--config',
      join(root, 'e2e/inside/vitest.config.ts'),
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${output}`,
    ]
    const [command = '', ...args] = network.wrap([
      process.execPath,
      join(root, 'bin/dev-env.mjs'),
      '--dir',
      join(dir, 'data'),
      '--',
      ...vitest,
    ])
    const { DATABASE_URL: _pg, NATS_URL: _nats, REDIS_URL: _redis, VITEST: _vitest, ...env } = process.env
    const child = spawn(command, args, { cwd: root, env: { ...env, INSIDE_DIR: dir } })
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

/**
 * @param file name of the file in `e2e/inside`
 * @param names hosts of the network: the n-th has the n-th public address
 */
export const reportInside = async (file: string, names: readonly string[]): Promise<void> => {
  const { report, printed } = await run(file, names)
  const results = report?.testResults.flatMap((one) => one.assertionResults) ?? []

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
}
