-- expand: when a collection of another server was last read at its own address, or stored
alter table collections add column if not exists read_at timestamptz;
