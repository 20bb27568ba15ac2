"""A Singer tap for the job, with singer-sdk's RESTStream."""
from urllib.parse import parse_qsl

from singer_sdk import RESTStream, Tap
from singer_sdk import typing as th
from singer_sdk.contrib.msgspec import MsgSpecWriter
from singer_sdk.pagination import BaseHATEOASPaginator


class NextLink(BaseHATEOASPaginator):
    def get_next_url(self, response):
        return response.json()["next"]


class Purchases(RESTStream):
    name = "purchases"
    path = "/purchases"
    primary_keys = ("id",)
    records_jsonpath = "$.items[*]"
    schema = th.PropertiesList(
        th.Property("id", th.IntegerType, required=True),
        th.Property("sequence", th.IntegerType),
        th.Property("at", th.StringType),
        th.Property("amount", th.NumberType),
        th.Property("holder", th.StringType),
    ).to_dict()

    @property
    def url_base(self):
        return self.config["source"]

    def get_new_paginator(self):
        return NextLink()

    def get_url_params(self, context, next_page_token):
        if next_page_token:
            return dict(parse_qsl(next_page_token.query))
        return {"total": self.config["total"], "first": self.config["first"]}

    def post_process(self, row, context=None):
        return {
            "id": row["id"], "sequence": row["sequence"], "at": row["created_at"],
            "amount": row["amount"], "holder": row["account"]["name"],
        }


class TapBench(Tap):
    name = "tap-bench"
    message_writer_class = MsgSpecWriter      # the faster of the two that the SDK has
    config_jsonschema = th.PropertiesList(
        th.Property("source", th.StringType, required=True),
        th.Property("total", th.IntegerType, required=True),
        th.Property("first", th.IntegerType, required=True),
    ).to_dict()

    def discover_streams(self):
        return [Purchases(self)]


if __name__ == "__main__":
    TapBench.cli()
