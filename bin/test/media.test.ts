/** Commands for stored files, on running services. */
import { app as accounts } from '@murmuration/accounts'
import { putRemoteAttachments } from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)

test('usage is printed by kind, copies are counted and removed, and files are looked up', async () => {
  await cluster
    .db('media')
    .run(sql`insert into attachments (id, owner, status, domain, created_at, cached_at, remote_url, type,
      media_type, state, original_key, size)
    values (1, 5, 77, 'a.example', '2020-01-01', '2020-01-01', 'https://a.example/1', 'image', 'image/jpeg', 'cached',
      ${`cache/a1-${'0'.repeat(40)}`}, 2500000)`)
  expect(await ctl('media', 'usage')).toBe(
    [
      'attachments  2.5 MB (0 bytes local)',
      'avatars      0 bytes (0 bytes local)',
      'headers      0 bytes (0 bytes local)',
      'emoji        0 bytes (0 bytes local)',
      'all          2.5 MB',
    ].join('\n'),
  )
  expect(await dataOf(operator, 'media', 'usage')).toEqual({ local_attachments: 0, remote_attachments: 2_500_000 })
  const url = `http://${cluster.env.LOCAL_DOMAIN}/system/cache/a1-${'0'.repeat(40)}`
  expect(await ctl('media', 'lookup', url)).toBe('the status 77, which is gone')
  expect(await runWords(operator, 'media', 'lookup', 'https://other.example/1')).toMatchObject({ status: 1 })
  expect(await ctl('media', 'remove', '--dry-run')).toBe('Would remove 1 of 1 copies (2.5 MB)')
  expect(await ctl('media', 'remove', '--days', '7')).toBe('1 of 1 copies (2.5 MB) removed')
  expect(await ctl('media', 'orphans')).toBe('0 of 0 files removed')
  expect(await ctl('media', 'remove', '--prune-profiles', '--dry-run')).toBe('Would remove 0 copies of 0 accounts')
})

test('attachments are fetched again, and unavailable ones are counted', async () => {
  const file = { media_type: 'image/jpeg', description: null, blurhash: null, width: null, height: null, focus: null }
  await cluster.call(putRemoteAttachments, {
    owner: '5',
    status: '78',
    attachments: [{ url: 'https://a.example/2', ...file }],
  })
  await cluster.waitForIdle()
  expect(await ctl('media', 'refresh', '--status', '78', '--dry-run')).toBe('Would fetch 1 of 1 attachments')
  // This cluster has no policy, so no fetch is allowed.
  expect(await ctl('media', 'refresh', '--status', '78')).toBe('0 of 1 attachments fetched, unavailable: 1')
})
