-- expand: texts that staff has prepared for warnings

-- Deleted by staff.
create table warning_presets (
  id bigint primary key,
  title text not null default '',
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
