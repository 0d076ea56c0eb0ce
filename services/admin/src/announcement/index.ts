/** Names of this module that other modules use. */
export { tellAnnouncements, tellGone } from './notify.js'
export {
  type AnnouncementRow,
  forgetReader,
  lockAnnouncement,
  published,
  putAnnouncement,
  removeAnnouncement,
  restoreAnnouncement,
} from './store.js'
