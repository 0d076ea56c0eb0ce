/** Rows as they are after days of failures: failing servers, refused activities, a refused delivery, dead letters. */
import pg from 'pg'

const STATEMENTS = [
  `insert into federation.lanes (id, host, failures, paused_until, failed_at, delivered_at, trouble) values
    (9001, 'slow.example', 12, now() + interval '40 minutes', now() - interval '5 minutes', now() - interval '2 days', 'status 503'),
    (9003, 'a-server-with-a-very-long-name.in-a-subdomain.of-a-community.example', 1, null, now(), null, 'timeout')`,
  `insert into federation.lanes (id, host, failures, unavailable_since, probe_at, failed_at, trouble) values
    (9002, 'gone.example', 90, now() - interval '3 days', now(), now() - interval '1 hour', 'name not found')`,
  `insert into federation.lanes (id, host, delivered_at) values (9004, 'well.example', now())`,
  `insert into federation.inboxes (id, url, lane_id) values
    (9001, 'https://slow.example/inbox', 9001), (9004, 'https://well.example/inbox', 9004)`,
  `insert into federation.deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, status, at)
    select 9000000 + n, 9001, 9001, 1, (extract(epoch from now() - interval '3 hours') * 1000)::bigint << 16, 0, 6, 503, now() + interval '1 hour'
    from generate_series(1, 1240) n`,
  `insert into federation.activities (id, uri, kind, actor_id, seq, object_uri, created_at) values
    (9001, 'https://here.example/1/activity', 'Create', 1, 9001, 'https://here.example/1', now())`,
  `insert into federation.deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, status, at) values
    (9001, 9001, 9001, 1, 9001, 2, 1, 403, now()), (9001, 9004, 9004, 1, 9001, 1, 1, 202, now())`,
  `insert into federation.inbox_refusals (day, stage, reason, count, last_host, last_at)
    select (now() at time zone 'UTC')::date - n, 'gate', 'no-signature', 40 + n * 13 % 29, 'rude.example', now() - make_interval(days => n)
    from generate_series(0, 6) n`,
  `insert into federation.inbox_refusal_hosts (host, day, stage, reason, count, last_at) values
    ('slow.example', (now() at time zone 'UTC')::date, 'worker', 'object-on-another-origin', 3, now()),
    ('rude.example', (now() at time zone 'UTC')::date, 'gate', 'no-signature', 40, now())`,
  `insert into statuses.dead_letters (id, consumer, subject, message_id, data, reason, tries, at) values
    (9001, 'statuses_preview-link', 'job.statuses.preview-link', '115000000000000001', '{"status":"115000000000000001"}',
      'connect ETIMEDOUT while reading https://slow.example/an/article/with/a/long/path', 6, now() - interval '3 hours')`,
  `insert into media.dead_letters (id, consumer, subject, message_id, data, reason, tries, at) values
    (9002, 'media_process', 'job.media.process', '115000000000000002', '{"id":"115000000000000002"}', 'ended-its-worker', 3, now() - interval '1 day')`,
]

export const makeTrouble = async (databaseUrl: string): Promise<void> => {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  for (const statement of STATEMENTS) await db.query(statement)
  await db.end()
}
