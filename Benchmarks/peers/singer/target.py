"""A Singer target for the job, with singer-sdk's BatchSink. What it writes is the state that it has delivered."""
import requests
from singer_sdk import BatchSink, Target
from singer_sdk import typing as th
from singer_sdk.contrib.msgspec import MsgSpecReader, encoder


class Post(BatchSink):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.session = requests.Session()

    def process_batch(self, context):
        answer = self.session.post(
            f"{self.config['pda']}/{self.stream_name}",
            data=encoder.encode(context["records"]), headers={"Content-Type": "application/json"},
        )
        answer.raise_for_status()


class TargetBench(Target):
    name = "target-bench"
    default_sink_class = Post
    message_reader_class = MsgSpecReader
    config_jsonschema = th.PropertiesList(th.Property("pda", th.StringType, required=True)).to_dict()


if __name__ == "__main__":
    TargetBench.cli()
