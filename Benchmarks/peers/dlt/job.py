"""The job with dlt: its rest_api source, and a posting destination. dlt keeps packages and state in its working folder."""
import os
import sys

import dlt
from dlt.common.json import json
from dlt.sources.helpers import requests
from dlt.sources.rest_api import rest_api_source

SOURCE, PDA, TOTAL, FIRST, BATCH, FOLDER = sys.argv[1:]

# Larger buffers and one process: one table's rows are one job's work.
os.environ["DATA_WRITER__BUFFER_MAX_ITEMS"] = "100000"
os.environ["NORMALIZE__WORKERS"] = "1"
os.environ["LOAD__WORKERS"] = "1"
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["RUNTIME__LOG_LEVEL"] = "ERROR"

session = requests.Session()


@dlt.destination(batch_size=int(BATCH), name="pda")
def post(items, table):
    body = json.dumpb(items)
    session.post(f"http://127.0.0.1:{PDA}/{table['name']}", data=body, headers={"Content-Type": "application/json"})


def mapped(record):
    return {
        "id": record["id"], "sequence": record["sequence"], "at": record["created_at"],
        "amount": record["amount"], "holder": record["account"]["name"],
    }


source = rest_api_source({
    "client": {"base_url": f"http://127.0.0.1:{SOURCE}", "paginator": {"type": "json_link", "next_url_path": "next"}},
    "resources": [{
        "name": "purchases",
        "endpoint": {"path": "purchases", "params": {"total": TOTAL, "first": FIRST}, "data_selector": "items"},
        "processing_steps": [{"map": mapped}],
        # Text as it is: else dlt reads each time of day and writes it in another form.
        "columns": {"at": {"data_type": "text"}},
        "write_disposition": "append",
    }],
})
dlt.pipeline("bench", destination=post(), pipelines_dir=FOLDER).run(source)
