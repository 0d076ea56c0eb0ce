-- expand: the key before the present one, which signs the Update that carries the present one
alter table keys add column previous_sealed text, add column rotated_at timestamptz;
