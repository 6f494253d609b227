#!/usr/bin/env bash
# Runs the storage tests against a real S3 server: Ceph's gateway with one monitor and one store in memory.
# Debian: apt-get install radosgw ceph-mon ceph-osd ceph-common. Everything lives in a temporary folder.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../../../.." && pwd)
folder=$(mktemp -d)
mon_port=${CEPH_MON_PORT:-26789} s3_port=${CEPH_S3_PORT:-27480}
fsid=$(cat /proc/sys/kernel/random/uuid)
conf=$folder/ceph.conf

stop() {
  for name in client.rgw osd.0 mon.a; do
    [ -f "$folder/$name.pid" ] && kill "$(cat "$folder/$name.pid")" 2>/dev/null || true
  done
  sleep 1
  rm -rf "$folder"
}
trap stop EXIT

mkdir "$folder/mon" "$folder/osd"
cat > "$conf" <<CONF
[global]
fsid = $fsid
mon_host = v1:127.0.0.1:$mon_port
public_network = 127.0.0.0/8
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 1
osd_objectstore = memstore
memstore_device_bytes = 1073741824
mon_data = $folder/mon
osd_data = $folder/osd
run_dir = $folder
log_file = $folder/\$name.log
admin_socket = $folder/\$name.asok
pid_file = $folder/\$name.pid
rgw_frontends = beast endpoint=127.0.0.1:$s3_port
rgw_run_sync_thread = false
CONF
export CEPH_CONF=$conf
{
  monmaptool --create --fsid "$fsid" --addv a "[v1:127.0.0.1:$mon_port]" "$folder/monmap"
  ceph-mon --mkfs -i a --monmap "$folder/monmap"
  ceph-mon -i a
  store=$(cat /proc/sys/kernel/random/uuid)
  timeout 60 ceph osd new "$store"
  ceph-osd -i 0 --mkfs --osd-uuid "$store"
  ceph-osd -i 0
  timeout 120 radosgw-admin user create --uid=test --display-name=test --access-key=test-access --secret-key=test-secret
  radosgw -n client.rgw
} > "$folder/setup.log" 2>&1 || { cat "$folder/setup.log" >&2; exit 1; }
answers() { curl -s -o /dev/null "http://127.0.0.1:$s3_port/"; }
for _ in $(seq 240); do answers && break; sleep 1; done
answers || { tail -n 20 "$folder/client.rgw.log" >&2; echo 'the gateway does not respond' >&2; exit 1; }

cd "$repository"
export AWS_ACCESS_KEY_ID=test-access AWS_SECRET_ACCESS_KEY=test-secret
export S3_TEST_ENDPOINT=http://127.0.0.1:$s3_port S3_TEST_BUCKET=forecourt-test
node --input-type=module -e "
  import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
  const s3 = new S3Client({ endpoint: process.env.S3_TEST_ENDPOINT, region: 'us-east-1', forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: process.env.S3_TEST_BUCKET }));
"
npm run --silent unit -- infra/services/remote-registry/src/storage/openStorage.test.ts -t 'a real S3 server' --verbose
