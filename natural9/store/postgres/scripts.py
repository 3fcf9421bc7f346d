"""The tables of a journal in a database, and the functions that write them, as SQL: a script for each version.

An entry is written without a place over all streams, so that no stream waits for another. Its ticket is drawn when all
that its append touches is locked: of two appends that share an account or a document, or of which one was acknowledged
before the other was sent, the later one has the higher ticket, and nobody sees the later without the earlier. So
whoever asks for places at whatever moment may give them to all entries that are there by then, in the order of their
tickets; those are for ever.
"""

from natural9.store.chain import GENESIS
from natural9.store.postgres.connection import SCHEMA
from natural9.store.tree import FAN

# Of records: in use; being carried here; carried here, and not yet verified; else "moved to ..."
OPEN, UNFINISHED, COPIED = "open", "unfinished", "copied"
# What is missing here, in words, where somebody knew better; and how often a person said to go on without.
LOST, ACCEPTED = "lost", "accepted"

FIRST = f"""
CREATE SCHEMA {SCHEMA};
SET search_path = {SCHEMA};

CREATE TABLE meta (key text PRIMARY KEY, value text NOT NULL);
INSERT INTO meta VALUES ('made_by', 'natural9'), ('schema', '0'), ('state', '{OPEN}');

-- Where each stream ends, and who may continue it: whoever takes it over counts its epoch on.
CREATE TABLE stream (
    name text COLLATE "C" PRIMARY KEY,
    epoch bigint NOT NULL,
    owner text NOT NULL,
    expires timestamptz,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    transfers bigint NOT NULL
) WITH (fillfactor = 50);

CREATE SEQUENCE ticket CACHE 1;  -- a session that kept some for later would draw too early
CREATE TABLE journal (
    stream text COLLATE "C" NOT NULL,
    number bigint NOT NULL,  -- in its stream
    kind text NOT NULL,
    body bytea NOT NULL,  -- the event, as JSON
    at_ms bigint NOT NULL,
    day text NOT NULL,
    label text NOT NULL,
    request bytea NOT NULL,  -- who asked for it, and by which request: UTF-8, and any character
    first_transfer bigint NOT NULL,  -- in its stream
    moves integer NOT NULL,  -- how many transfers
    transfers text NOT NULL,  -- a JSON list of [kind, source, target, cents]
    documents text NOT NULL,  -- those written beside it: its stream's sum, and [key, SHA-256] of each
    hash bytea NOT NULL,
    ticket bigint NOT NULL DEFAULT nextval('ticket'),
    PRIMARY KEY (stream, number)
);
CREATE INDEX journal_with_documents ON journal (stream, number) WHERE documents <> '';

-- Each entry's place over all streams, and what it is found by.
CREATE TABLE place (
    seq bigint PRIMARY KEY,
    stream text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    label text COLLATE "C" NOT NULL,
    request bytea NOT NULL,
    first_in_ledger bigint NOT NULL,  -- the number over all streams of its first transfer, or of the next one
    moves integer NOT NULL,
    UNIQUE (stream, number)
);
CREATE INDEX place_by_stream ON place (stream, seq);
CREATE INDEX place_by_label ON place (label, seq) WHERE label <> '';
CREATE INDEX place_by_request ON place (request, seq) WHERE request <> '';
CREATE INDEX place_by_transfer ON place (first_in_ledger) WHERE moves > 0;
CREATE TABLE placed (stream text COLLATE "C" PRIMARY KEY, number bigint NOT NULL);  -- the last that has one
CREATE TABLE head (entries bigint NOT NULL, transfers bigint NOT NULL, hash bytea NOT NULL);
INSERT INTO head VALUES (0, 0, '\\x{GENESIS.hex()}');
CREATE TABLE account_transfer (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,  -- over all streams
    seq bigint NOT NULL,
    PRIMARY KEY (account, number)
);

-- The Merkle tree over the hashes of all entries: whole runs of 256, of 256 of those, and so on.
CREATE TABLE tree (level integer NOT NULL, place bigint NOT NULL, hash bytea NOT NULL, PRIMARY KEY (level, place));
CREATE TABLE checkpoint (size bigint PRIMARY KEY, note text NOT NULL);

CREATE TABLE balance (account text COLLATE "C" PRIMARY KEY, cents bigint NOT NULL) WITH (fillfactor = 70);
CREATE TABLE meter (
    account text COLLATE "C" NOT NULL,
    day text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    in_cents bigint NOT NULL,
    in_count bigint NOT NULL,
    out_cents bigint NOT NULL,
    out_count bigint NOT NULL,
    PRIMARY KEY (account, day, kind)
) WITH (fillfactor = 70);
CREATE TABLE document (key text COLLATE "C" PRIMARY KEY, value bytea NOT NULL, sha256 text NOT NULL);

-- For people: an entry as they would look for it.
CREATE VIEW entry AS
    SELECT seq, stream, number, kind, convert_from(body, 'UTF8') AS body, at_ms, day, journal.label, transfers
    FROM place JOIN journal USING (stream, number);

-- A hand that slips is stopped here; one that means it is found by the chain.
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the % is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal EXECUTE FUNCTION append_only();
CREATE TRIGGER is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON place EXECUTE FUNCTION append_only();

-- One group of appends: all of it, or (when it raises) none. Whoever calls it gives every list of names in their order,
-- so that two groups wait for each other in one direction only. What is the same for all entries, or meters, is given
-- once; so is the first number, where all are of one stream; the meters' accounts are not, where they are the others.
CREATE FUNCTION append(
    a_streams text[], a_epochs bigint[], a_afters bigint[], a_after_hashes bytea[],
    a_numbers bigint[], a_hashes bytea[], a_transfers bigint[],
    e_stream text[], e_number bigint[], e_kind text[], e_body bytea[], e_at_ms bigint[], e_day text[],
    e_label text[], e_request bytea[], e_first bigint[], e_moves bigint[], e_transfers text[], e_documents text[],
    e_hashes bytea,  -- one after the other
    b_account text[], b_change bigint[], b_lowest bigint[],
    m_account text[], m_day text[], m_kind text[],
    m_in_cents bigint[], m_in_count bigint[], m_out_cents bigint[], m_out_count bigint[],
    d_key text[], d_was text[], d_value bytea[], d_sha256 text[]
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    changed bigint;
    gone bigint;
    new bigint;
    empty boolean;
    short boolean;
BEGIN
    PERFORM 1 FROM stream WHERE name = ANY (a_streams) ORDER BY name FOR NO KEY UPDATE;
    UPDATE stream SET number = a.number, hash = a.hash, transfers = a.transfers
    FROM unnest(a_streams, a_epochs, a_afters, a_after_hashes, a_numbers, a_hashes, a_transfers)
        AS a (name, epoch, after, after_hash, number, hash, transfers)
    WHERE stream.name = a.name AND stream.epoch = a.epoch
        AND stream.number = a.after AND stream.hash = a.after_hash;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed <> cardinality(a_streams) THEN
        RAISE EXCEPTION 'a stream is somebody else''s, or ends elsewhere' USING ERRCODE = 'N9001';
    END IF;

    IF cardinality(b_account) > 0 THEN
        -- `lowest` is how far below its beginning an account falls on the way; none where it may be short.
        WITH moved AS (
            INSERT INTO balance AS kept SELECT * FROM unnest(b_account, b_change)
            ON CONFLICT (account) DO UPDATE SET cents = kept.cents + excluded.cents
            RETURNING account, cents
        )
        SELECT bool_or(moved.cents = 0), coalesce(bool_or(moved.cents - b.change + b.lowest < 0), false)
        INTO empty, short
        FROM moved JOIN unnest(b_account, b_change, b_lowest) AS b (account, change, lowest) USING (account);
        IF short THEN
            RAISE EXCEPTION 'an account would fall below zero' USING ERRCODE = 'N9002';
        END IF;
        IF empty THEN
            DELETE FROM balance WHERE account = ANY (b_account) AND cents = 0;
        END IF;
        INSERT INTO meter AS kept
        SELECT account, coalesce(day, m_day[1]), coalesce(kind, m_kind[1]), in_cents, in_count, out_cents, out_count
        FROM unnest(
            coalesce(m_account, b_account), m_day, m_kind, m_in_cents, m_in_count, m_out_cents, m_out_count
        ) AS m (account, day, kind, in_cents, in_count, out_cents, out_count)
        ON CONFLICT (account, day, kind) DO UPDATE SET
            in_cents = kept.in_cents + excluded.in_cents, in_count = kept.in_count + excluded.in_count,
            out_cents = kept.out_cents + excluded.out_cents, out_count = kept.out_count + excluded.out_count;
    END IF;

    IF cardinality(d_key) > 0 THEN
        -- What each was is part of the chain, so it must be that.
        PERFORM 1 FROM document WHERE key = ANY (d_key) ORDER BY key FOR UPDATE;
        UPDATE document SET value = d.value, sha256 = d.sha256
        FROM unnest(d_key, d_was, d_value, d_sha256) AS d (key, was, value, sha256)
        WHERE document.key = d.key AND document.sha256 = d.was AND d.value IS NOT NULL;
        GET DIAGNOSTICS changed = ROW_COUNT;
        DELETE FROM document USING unnest(d_key, d_was, d_value) AS d (key, was, value)
        WHERE document.key = d.key AND document.sha256 = d.was AND d.value IS NULL;
        GET DIAGNOSTICS gone = ROW_COUNT;
        INSERT INTO document SELECT d.key, d.value, d.sha256
        FROM unnest(d_key, d_was, d_value, d_sha256) AS d (key, was, value, sha256)
        WHERE d.was IS NULL AND d.value IS NOT NULL ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS new = ROW_COUNT;
        IF changed + gone + new + (
            SELECT count(*) FROM unnest(d_key, d_was, d_value) AS d (key, was, value)
            WHERE d.was IS NULL AND d.value IS NULL AND NOT EXISTS (SELECT 1 FROM document WHERE document.key = d.key)
        ) <> cardinality(d_key) THEN
            RAISE EXCEPTION 'a document is not what it was' USING ERRCODE = 'N9003';
        END IF;
    END IF;

    -- Last, when all is locked: now the tickets are drawn.
    INSERT INTO journal (stream, number, kind, body, at_ms, day, label, request, first_transfer, moves, transfers,
        documents, hash)
    SELECT coalesce(stream, e_stream[1]), coalesce(number, e_number[1] + at - 1), coalesce(kind, e_kind[1]), body,
        coalesce(at_ms, e_at_ms[1]), coalesce(day, e_day[1]), coalesce(label, e_label[1]),
        coalesce(request, e_request[1]), first, coalesce(moves, e_moves[1])::integer, transfers,
        coalesce(documents, e_documents[1]), substring(e_hashes, 32 * at::int - 31, 32)
    FROM unnest(e_stream, e_number, e_kind, e_body, e_at_ms, e_day, e_label, e_request, e_first, e_moves,
        e_transfers, e_documents) WITH ORDINALITY
        AS e (stream, number, kind, body, at_ms, day, label, request, first, moves, transfers, documents, at);
END $$;

-- The RFC 6962 hash of a whole run, of leaves or of nodes.
CREATE FUNCTION run_hash(hashes bytea[], leaves boolean) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    row bytea[] := hashes;
BEGIN
    IF leaves THEN
        row := ARRAY(SELECT sha256('\\x00'::bytea || one) FROM unnest(row) AS one);
    END IF;
    WHILE cardinality(row) > 1 LOOP
        row := ARRAY(SELECT sha256('\\x01'::bytea || row[at] || row[at + 1])
            FROM generate_series(1, cardinality(row), 2) AS at);
    END LOOP;
    RETURN row[1];
END $$;

CREATE FUNCTION has_unplaced() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM stream LEFT JOIN placed ON stream = name WHERE stream.number > coalesce(placed.number, 0))
$$;

-- Give a place to every entry that has none; whoever comes second waits, and finds them given.
CREATE FUNCTION give_places() RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    was head;
    reached head;
    depth integer := 0;
    size bigint;
    below bytea[];
BEGIN
    IF NOT has_unplaced() THEN
        RETURN;
    END IF;
    SELECT * INTO was FROM head FOR UPDATE;
    WITH fresh AS MATERIALIZED (
        SELECT row_number() OVER in_order + was.entries AS seq, new.*,
            sum(moves) OVER in_order - moves + was.transfers + 1 AS first_in_ledger
        FROM stream LEFT JOIN placed ON placed.stream = name CROSS JOIN LATERAL (
            SELECT stream, number, label, request, moves, transfers, hash, ticket FROM journal
            WHERE journal.stream = name AND journal.number > coalesce(placed.number, 0)
        ) AS new
        WINDOW in_order AS (ORDER BY ticket)
    ), given AS (
        INSERT INTO place SELECT seq, stream, number, label, request, first_in_ledger, moves FROM fresh ORDER BY seq
    ), sorted AS (
        INSERT INTO account_transfer SELECT account, first_in_ledger + at - 1, seq
        FROM fresh, json_array_elements(transfers::json) WITH ORDINALITY AS t (transfer, at),
            LATERAL (VALUES (transfer ->> 1), (transfer ->> 2)) AS side (account)
        WHERE moves > 0
    ), marked AS (
        INSERT INTO placed SELECT stream, max(number) FROM fresh GROUP BY stream
        ON CONFLICT (stream) DO UPDATE SET number = excluded.number
    )
    SELECT max(seq), was.transfers + sum(moves), (array_agg(hash ORDER BY seq DESC))[1] INTO reached FROM fresh;
    IF reached.entries IS NULL THEN
        RETURN;  -- whoever came first gave them
    END IF;
    UPDATE head SET entries = reached.entries, transfers = reached.transfers, hash = reached.hash;
    size := reached.entries / {FAN};
    WHILE size > 0 LOOP
        FOR run IN (SELECT coalesce(max(place) + 1, 0) FROM tree WHERE level = depth + 1) .. size - 1 LOOP
            IF depth = 0 THEN
                below := ARRAY(SELECT hash FROM place JOIN journal USING (stream, number)
                    WHERE seq > run * {FAN} AND seq <= (run + 1) * {FAN} ORDER BY seq);
            ELSE
                below := ARRAY(SELECT hash FROM tree
                    WHERE level = depth AND place >= run * {FAN} AND place < (run + 1) * {FAN} ORDER BY place);
            END IF;
            INSERT INTO tree VALUES (depth + 1, run, run_hash(below, depth = 0));
        END LOOP;
        depth := depth + 1;
        size := size / {FAN};
    END LOOP;
END $$;
"""

# Who owns which stream. A node renews one row of its own, never those that appends lock: a stream is its owner's until
# the owner's lease is over, or its session is seen to have ended; and the epoch decides, whatever anybody believes.
SECOND = f"""
SET search_path = {SCHEMA};
INSERT INTO meta VALUES ('rules', '');  -- of the nodes that own streams: their SHA-256
ALTER TABLE stream DROP COLUMN expires;
ALTER TABLE stream ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp();  -- when it was taken or let go
ALTER TABLE stream ADD COLUMN kept timestamptz NOT NULL DEFAULT clock_timestamp();  -- when nobody had it any more
ALTER TABLE stream ADD COLUMN entered bigint NOT NULL DEFAULT 0;  -- the last epoch that somebody began to write under

CREATE TABLE node (
    name text COLLATE "C" PRIMARY KEY,
    run text NOT NULL,  -- chance, of one process
    lock bigint NOT NULL,  -- the lock that its session holds as long as it lives
    sessions bigint NOT NULL,  -- the lock that its other sessions share
    since timestamptz NOT NULL,
    renewed timestamptz NOT NULL,
    lease interval NOT NULL,
    version text NOT NULL,
    program_sha256 text NOT NULL,
    rules_sha256 text NOT NULL,
    address text NOT NULL,
    barred text NOT NULL  -- why it takes no stream
) WITH (fillfactor = 50);
-- Which locks were taken from this server since it started: a crash empties the table, and another start is another
-- time. After either a lock that is free says nothing of who held it.
CREATE UNLOGGED TABLE node_session (
    name text COLLATE "C" PRIMARY KEY, run text NOT NULL, server_start timestamptz NOT NULL
);

CREATE FUNCTION lock_holders(a_key bigint) RETURNS SETOF integer LANGUAGE sql AS $$
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = ((a_key >> 32) & 4294967295)::oid AND objid = (a_key & 4294967295)::oid
$$;

-- A server that was away gives everybody the time of a lease to come back.
CREATE FUNCTION is_alive(a_node text) RETURNS boolean LANGUAGE sql AS $$
    SELECT greatest(renewed, pg_postmaster_start_time()) + lease > clock_timestamp() AND (
        EXISTS (SELECT 1 FROM lock_holders(lock)) OR NOT EXISTS (
            SELECT 1 FROM node_session AS seen WHERE seen.name = node.name AND seen.run = node.run
                AND seen.server_start = pg_postmaster_start_time()))
    FROM node WHERE name = a_node
$$;

-- Who holds the node's lock enters it: whatever an earlier run of this name owned is free. A run that comes back finds
-- its own row, or another run's.
CREATE FUNCTION join_nodes(
    a_node text, a_run text, a_lock bigint, a_sessions bigint, a_lease interval, a_version text, a_program text,
    a_rules text, a_address text, a_barred text, a_again boolean
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    was node;
BEGIN
    SELECT * INTO was FROM node WHERE name = a_node FOR UPDATE;
    IF a_again AND was.run IS DISTINCT FROM a_run THEN
        RAISE EXCEPTION 'somebody else has joined under this name' USING ERRCODE = 'N9004';
    END IF;
    IF was.run IS DISTINCT FROM a_run THEN
        PERFORM 1 FROM stream WHERE owner = a_node ORDER BY name FOR UPDATE;
        UPDATE stream SET epoch = epoch + 1, owner = '', since = clock_timestamp(),
            kept = coalesce(was.renewed, kept) WHERE owner = a_node;
        DELETE FROM node WHERE name = a_node OR (renewed < clock_timestamp() - interval '1 day'
            AND NOT EXISTS (SELECT 1 FROM stream WHERE owner = node.name));
        INSERT INTO node VALUES (a_node, a_run, a_lock, a_sessions, clock_timestamp(), clock_timestamp(), a_lease,
            a_version, a_program, a_rules, a_address, a_barred);
    END IF;
    INSERT INTO node_session VALUES (a_node, a_run, pg_postmaster_start_time())
    ON CONFLICT (name) DO UPDATE SET run = excluded.run, server_start = excluded.server_start;
END $$;

-- The living nodes with the rules that count, if those are not this one's; '' where it may take streams.
CREATE FUNCTION nodes_with_other_rules(a_node text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(other.name, ', ' ORDER BY other.name), '')
    FROM node AS me, node AS other, meta
    WHERE me.name = a_node AND meta.key = 'rules' AND meta.value <> me.rules_sha256
        AND other.name <> a_node AND other.rules_sha256 = meta.value AND is_alive(other.name)
$$;

-- Two statements, so that the second sees what was taken while the first waited. It need not be on the disk: what is
-- lost of it only ends a lease too early.
CREATE FUNCTION renew_lease(
    a_node text, a_run text, OUT now_ms bigint, OUT names text[], OUT epochs bigint[], OUT others text,
    OUT lost text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE node SET renewed = clock_timestamp() WHERE name = a_node AND run = a_run;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'somebody else has joined under this name' USING ERRCODE = 'N9004';
    END IF;
    SELECT coalesce(array_agg(stream.name), '{{}}'), coalesce(array_agg(stream.epoch), '{{}}')
    INTO names, epochs FROM stream WHERE owner = a_node;
    now_ms := extract(epoch FROM clock_timestamp()) * 1000;
    others := nodes_with_other_rules(a_node);
    lost := coalesce((SELECT value FROM meta WHERE key = '{LOST}'), '');
END $$;

-- Every row that somebody is at work on is left to them. Whoever is dead loses its sessions with its streams, so that
-- no stopped process keeps a row or a hold.
CREATE FUNCTION claim_streams(
    a_node text, a_run text, a_streams text[], OUT names text[], OUT epochs bigint[], OUT away_ms bigint[],
    OUT others text, OUT lost text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    rules text;
    gone text[];
    free text[];
BEGIN
    names := '{{}}';
    epochs := '{{}}';
    away_ms := '{{}}';
    UPDATE node SET renewed = clock_timestamp() WHERE name = a_node AND run = a_run RETURNING rules_sha256 INTO rules;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'somebody else has joined under this name' USING ERRCODE = 'N9004';
    END IF;
    others := '';
    lost := coalesce((SELECT value FROM meta WHERE key = '{LOST}'), '');
    IF lost <> '' THEN
        RETURN;
    END IF;
    IF rules <> (SELECT value FROM meta WHERE key = 'rules') THEN
        PERFORM 1 FROM meta WHERE key = 'rules' FOR UPDATE;
        others := nodes_with_other_rules(a_node);
        IF others <> '' THEN
            RETURN;
        END IF;
        UPDATE meta SET value = rules WHERE key = 'rules';
    END IF;
    gone := ARRAY(SELECT name FROM node WHERE name <> a_node AND NOT is_alive(name));
    IF cardinality(gone) > 0 THEN
        gone := ARRAY(SELECT name FROM node WHERE name = ANY (gone) FOR UPDATE SKIP LOCKED);
        gone := ARRAY(SELECT name FROM node WHERE name = ANY (gone) AND NOT is_alive(name));
        BEGIN
            -- But for one that began since: a process that comes in the place of the dead one, and has not joined yet.
            PERFORM pg_terminate_backend(pid) FROM node, lock_holders(sessions) AS pid JOIN pg_stat_activity USING (pid)
            WHERE name = ANY (gone) AND backend_start <= renewed;
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;  -- they are another role's, and end by themselves
        END;
    END IF;
    INSERT INTO stream (name, epoch, owner, number, hash, transfers)
    SELECT one, 0, '', 0, '\\x{GENESIS.hex()}', 0 FROM unnest(a_streams) AS one
    WHERE NOT EXISTS (SELECT 1 FROM stream WHERE name = one) ORDER BY one ON CONFLICT DO NOTHING;
    free := ARRAY(SELECT name FROM stream WHERE name = ANY (a_streams) AND (owner IN ('', a_node)
        OR owner = ANY (gone) OR NOT EXISTS (SELECT 1 FROM node WHERE node.name = owner)) FOR UPDATE SKIP LOCKED);
    WITH before AS (
        SELECT stream.name, CASE owner WHEN a_node THEN kept ELSE coalesce(renewed, kept) END AS last
        FROM stream LEFT JOIN node ON node.name = owner WHERE stream.name = ANY (free)
    ), taken AS (
        UPDATE stream SET epoch = epoch + 1, owner = a_node, since = clock_timestamp(), kept = last
        FROM before WHERE stream.name = before.name RETURNING stream.name, epoch, last
    )
    SELECT coalesce(array_agg(name), '{{}}'), coalesce(array_agg(epoch), '{{}}'),
        coalesce(array_agg((greatest(extract(epoch FROM clock_timestamp() - last), 0) * 1000)::bigint), '{{}}')
    INTO names, epochs, away_ms FROM taken;
END $$;

-- Of those that are still this node's; `dark` is for how long nobody has served each already: none if it never was.
CREATE FUNCTION let_go_of(a_node text, a_streams text[], a_epochs bigint[], a_dark interval[])
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM 1 FROM stream WHERE name = ANY (a_streams) ORDER BY name FOR UPDATE;
    UPDATE stream SET epoch = stream.epoch + 1, owner = '', since = clock_timestamp(),
        kept = coalesce(clock_timestamp() - dark, kept)
    FROM unnest(a_streams, a_epochs, a_dark) AS a (name, epoch, dark)
    WHERE stream.name = a.name AND stream.epoch = a.epoch AND owner = a_node;
END $$;

CREATE FUNCTION leave_nodes(a_node text, a_run text) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM node WHERE name = a_node AND run = a_run;
    IF FOUND THEN
        PERFORM 1 FROM stream WHERE owner = a_node ORDER BY name FOR UPDATE;
        UPDATE stream SET epoch = epoch + 1, owner = '', since = clock_timestamp(), kept = clock_timestamp()
        WHERE owner = a_node;
        DELETE FROM node_session WHERE name = a_node;
    END IF;
END $$;
"""

SCRIPTS = (FIRST, SECOND)  # a schema of version N has had the first N of them
