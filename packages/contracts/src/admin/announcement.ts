/**
 * Operations about announcements to all local users: reading, dismissing and reacting; writing by staff and operators.
 */
import { z } from 'zod'
import { Announcement, Timestamp } from '../entities/index.js'
import { del, flag, flagOr, get, id, nothing, operation, post, put, text, user } from '../kit/index.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

export const listAnnouncements = operation('admin.announcement.list', {
  http: get('/api/v1/announcements'),
  viewer: user(),
  input: z.object({
    /** True: announcements that the user dismissed are included. They are marked as read. */
    with_dismissed: flagOr(true),
  }),
  output: z.array(Announcement),
  about: 'Published announcements, in order of time.',
})

export const dismissAnnouncement = operation('admin.announcement.dismiss', {
  http: post('/api/v1/announcements/:id/dismiss'),
  viewer: user('write|write:accounts'),
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Marks an announcement as read.',
})

/** A unicode emoji, or the shortcode of an emoji of this server. */
const Name = z.string().max(2_048)

export const reactToAnnouncement = operation('admin.announcement.react', {
  http: put('/api/v1/announcements/:id/reactions/:name'),
  viewer: user('write|write:favourites'),
  input: z.object({ id: id(), name: Name }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Reacts to an announcement with an emoji.',
})

export const unreactToAnnouncement = operation('admin.announcement.unreact', {
  http: del('/api/v1/announcements/:id/reactions/:name'),
  viewer: user('write|write:favourites'),
  input: z.object({ id: id(), name: Name }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a reaction.',
})

/** An announcement as stored, for staff. */
export const StoredAnnouncement = z.object({
  id: z.string(),
  text: z.string(),
  starts_at: Timestamp.nullable(),
  ends_at: Timestamp.nullable(),
  all_day: z.boolean(),
  scheduled_at: Timestamp.nullable(),
  /** Time of publication of the announcement. Null before the publication and after its end. */
  published_at: Timestamp.nullable(),
})
export type StoredAnnouncement = z.infer<typeof StoredAnnouncement>

const moment = z.preprocess((value) => (value === '' ? null : value), z.iso.datetime({ offset: true }).nullable())
const writes = staffWrites('manage_announcements')

export const createAnnouncement = operation('admin.announcement.create', {
  http: post(`${STAFF_PREFIX}/announcements`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    text: text(),
    starts_at: moment.default(null),
    ends_at: moment.default(null),
    all_day: flagOr(false),
    /** Time at which the announcement is published; immediately if absent. */
    scheduled_at: moment.default(null),
  }),
  output: StoredAnnouncement,
  errors: ['unprocessable'],
  about: 'Creates an announcement, published immediately or at a given time.',
})

export const updateAnnouncement = operation('admin.announcement.update', {
  http: put(`${STAFF_PREFIX}/announcements/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    text: text().optional(),
    starts_at: moment.optional(),
    ends_at: moment.optional(),
    all_day: flag(),
    /** New time of publication, for an announcement that is not published yet. Null or a time in the past publishes it immediately. */
    scheduled_at: moment.optional(),
    /** False unpublishes the announcement, true publishes it. */
    published: flag(),
  }),
  output: StoredAnnouncement,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes, publishes or withdraws an announcement. Absent members stay unchanged.',
})

export const removeAnnouncement = operation('admin.announcement.remove', {
  http: del(`${STAFF_PREFIX}/announcements/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes an announcement with its reactions.',
})

export const listAllAnnouncements = operation('admin.announcement.list-all', {
  http: get(`${STAFF_PREFIX}/announcements`),
  viewer: staffReads('manage_announcements'),
  class: 'admin',
  input: nothing(),
  output: z.object({ announcements: z.array(StoredAnnouncement) }),
  about: 'All announcements, published or not, newest first.',
})
