/** Operations about markers: read positions of the viewer in home and notifications. */
import { z } from 'zod'
import { Markers } from '../entities/index.js'
import { get, id, list, operation, post, text, user } from '../kit/index.js'

export const showMarkers = operation('notifications.marker.show', {
  http: get('/api/v1/markers'),
  viewer: user('read|read:statuses'),
  input: z.object({ timeline: list(text(100)).optional() }),
  output: Markers,
  about: 'Markers of the viewer in the requested timelines.',
})

const position = z.union([z.null(), z.literal(''), z.object({ last_read_id: id().optional() })]).optional()

export const setMarkers = operation('notifications.marker.set', {
  http: post('/api/v1/markers'),
  viewer: user('write|write:statuses'),
  input: z.object({ home: position, notifications: position }),
  output: Markers,
  errors: ['conflict'],
  about: 'Stores markers of the viewer. The last write wins, and each write increases the version.',
})
