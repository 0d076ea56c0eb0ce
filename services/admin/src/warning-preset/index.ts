/** Warning presets for actions on accounts. */
export {
  deleteWarningPreset,
  insertWarningPreset,
  lockWarningPreset,
  storeWarningPreset,
} from './store.js'
export { actionText } from './text.js'
